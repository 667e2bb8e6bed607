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
  private final LiveSettings live;
  private final Guard guard;
  private final Counts counts;

  CurtailManagement(LiveSettings live, Guard guard, Counts counts) {
    this.live = live;
    this.guard = guard;
    this.counts = counts;
  }

  static void register(LiveSettings live, Guard guard, Counts counts) {
    Cassandra50.registerMBean(
        new StandardMBean(new CurtailManagement(live, guard, counts), CurtailMBean.class, false),
        CurtailMBean.NAME);
  }

  @Override
  public String getMode() {
    return live.mode().toString();
  }

  @Override
  public void setMode(String mode) {
    set(Knob.MODE.toString(), mode);
  }

  @Override
  public String getProblem() {
    String problem = live.problem();
    return problem == null ? "" : problem;
  }

  @Override
  public long getErrors() {
    return guard.errors();
  }

  @Override
  public Map<String, String> getSettings() {
    Map<String, String> all = new LinkedHashMap<>();
    for (Knob knob : Knob.values()) {
      all.put(knob.toString(), live.settings().text(knob));
    }
    return all;
  }

  @Override
  public void set(String name, String value) {
    live.set(Map.of(name, value));
  }

  @Override
  public Map<String, Long> getCounts() {
    Map<String, Long> all = new LinkedHashMap<>();
    counts.all().forEach((name, count) -> all.put(name, count.sum()));
    return all;
  }

  @Override
  public Map<String, Double> getScores() {
    Map<String, Double> scores = new TreeMap<>();
    live.policy().peers().all().forEach(peer -> scores.put(peer.name, peer.score()));
    return scores;
  }
}
