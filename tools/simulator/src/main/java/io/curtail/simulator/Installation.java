/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.NamedPolicy;
import io.curtail.selection.rate.RateControls;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How what is simulated can be installed: settings by name, none where it cannot be.
 *
 * @param driver of {@code curtail-driver}
 * @param node of {@code curtail-server}
 */
public record Installation(Map<String, String> driver, Map<String, String> node) {
  static Installation of(SimulatedPolicy policy) {
    NamedPolicy ranking = policy.ranking();
    if (ranking == null) {
      return new Installation(Map.of(), Map.of());
    }
    return new Installation(inDriver(policy, ranking), onNode(policy, ranking));
  }

  private static Map<String, String> inDriver(SimulatedPolicy policy, NamedPolicy ranking) {
    Map<String, String> settings = new LinkedHashMap<>();
    boolean copies = policy.copying() == Copying.BY_DRIVER;
    if (policy.secondChance() != SecondChance.NONE
        || (policy.copying() != Copying.NONE && !copies)) {
      return settings;
    }
    if (ranking.runsInDriver()) {
      settings.put("adaptive.ranking", ranking.name());
      if (copies) {
        settings.put("speculative-execution-policy.class", "AdaptiveSpeculativeExecution");
      }
    } else if (isLimited(ranking)) {
      settings.put("adaptive.ranking", ranking.rankingAlone());
      settings.put("throttler.class", "AdaptiveThrottler");
      settings.put("adaptive.rate-control", ranking.rateControl());
    }
    return settings;
  }

  private static Map<String, String> onNode(SimulatedPolicy policy, NamedPolicy ranking) {
    Map<String, String> settings = new LinkedHashMap<>();
    boolean passes = policy.secondChance() == SecondChance.RETURNED;
    boolean copies = policy.copying() == Copying.SLOW;
    boolean isKnown =
        (passes || policy.secondChance() == SecondChance.NONE)
            && (copies ? passes : policy.copying() == Copying.NONE);
    if (isKnown && ranking.runsOnNode()) {
      settings.put("policy", ranking.name());
      settings.put("mode", isLimited(ranking) ? "rank+rate" : "rank");
      if (passes) {
        settings.put("passing", "on");
      }
      if (copies) {
        long percent = Math.round(100 * SimulatedScenario.BASE.hedgeShare);
        settings.put("copies_percent", Long.toString(percent));
      }
    }
    return settings;
  }

  private static boolean isLimited(NamedPolicy ranking) {
    return !ranking.rateControl().equals(RateControls.NONE);
  }

  /** In one line. */
  public String text() {
    if (driver.isEmpty() && node.isEmpty()) {
      return "simulated only";
    }
    String inDriver = driver.isEmpty() ? "" : "driver: " + text(driver);
    String onNode = node.isEmpty() ? "" : "node: " + text(node);
    return inDriver + (driver.isEmpty() || node.isEmpty() ? "" : "; ") + onNode;
  }

  private static String text(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + " = " + setting.getValue())
        .collect(Collectors.joining(", "));
  }
}
