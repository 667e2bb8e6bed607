/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.management.StandardMBean;

/** The MBean over the plug-in. */
final class CurtailManagement implements CurtailMBean {
  private final Plugin plugin;

  CurtailManagement(Plugin plugin) {
    this.plugin = plugin;
  }

  static void register(Plugin plugin) {
    Cassandra50.registerMBean(
        new StandardMBean(new CurtailManagement(plugin), CurtailMBean.class, false),
        CurtailMBean.NAME);
  }

  @Override
  public String getMode() {
    return plugin.mode().toString();
  }

  @Override
  public void setMode(String mode) {
    set(Knob.MODE.toString(), mode);
  }

  @Override
  public String getProblem() {
    String problem = plugin.problem();
    return problem == null ? "" : problem;
  }

  @Override
  public long getErrors() {
    return plugin.guard().errors();
  }

  @Override
  public Map<String, String> getSettings() {
    Map<String, String> all = new LinkedHashMap<>();
    for (Knob knob : Knob.values()) {
      all.put(knob.toString(), plugin.settings().text(knob));
    }
    return all;
  }

  @Override
  public void set(String name, String value) {
    plugin.set(Map.of(name, value));
  }

  @Override
  public Map<String, Long> getCounts() {
    Map<String, Long> all = new LinkedHashMap<>();
    plugin.counts().all().forEach((name, count) -> all.put(name, count.sum()));
    return all;
  }

  @Override
  public Map<String, Double> getScores() {
    Map<String, Double> scores = new TreeMap<>();
    plugin.selector().peers().all().forEach(peer -> scores.put(peer.name, peer.score()));
    return scores;
  }
}
