/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.SimulatedArm;
import io.curtail.lab.load.Policy;
import io.curtail.selection.NodeDefaults;
import io.curtail.simulator.Replay;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What simulates an arm. */
final class SimulatedArms {
  private static final Set<String> STOCK = Set.of("stock", "off", "observe");

  /** What is looked at by name, or is the nodes' own affair. */
  private static final Set<String> NAMED =
      Set.of(
          "mode",
          "policy",
          "rate_control",
          "speculative_retry",
          "clients",
          "passing_hop_ms",
          "copies_percent");

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "averaging_ms", "averagingMillis",
          "badness_threshold", "nearestThreshold",
          "refresh_ms", "refreshMillis",
          "backlog_ms", "backlogMillis",
          "rate_window_ms", "rateWindowMillis",
          "clients", "outstandingWeight");

  /** Of nodes, where a mode says whether rates are limited. */
  private static final Map<String, String> RANKINGS = Map.of("c3", "c3-without-rate-control");

  private static final Map<Policy, String> POLICIES =
      Map.of(
          Policy.STOCK_DEFAULT, "driver-default",
          Policy.STOCK_BASIC, "random",
          Policy.WEIGHTED_LEAST_LOADED, "weighted-least-loaded",
          Policy.ADAPTIVE, "adaptive",
          Policy.ADAPTIVE_HEDGED, "adaptive-hedged");

  private SimulatedArms() {}

  /**
   * Returns the arm of clients, one in each zone; null if the simulator does not know what they do,
   * as with options.
   *
   * @param slowMotion how many times as long everything takes
   */
  static SimulatedArm of(Policy policy, int slowMotion) {
    String simulated = POLICIES.get(policy);
    double memoryMillis = Policy.ADAPTIVE_MEMORY.multipliedBy(slowMotion).toMillis();
    return simulated == null
        ? null
        : new SimulatedArm(simulated, true, Map.of("responseMemoryMillis", memoryMillis));
  }

  /**
   * Returns the arm of nodes; null if the simulator does not know what the arm does.
   *
   * @param retry the table's {@code speculative_retry}
   * @param updates how often nodes look how long reads take
   */
  static SimulatedArm of(ServerMode mode, String retry, Duration updates) {
    Map<String, Object> changes = new LinkedHashMap<>();
    if (retry.endsWith("p")) {
      changes.put("speculativeRetryPercentile", number(retry, 1));
      changes.put("speculativeRetryUpdateMillis", (double) updates.toMillis());
    } else if (retry.endsWith("ms")) {
      changes.put("speculativeRetryMillis", number(retry, 2));
    } else if (!retry.equals("never")) {
      return null;
    }
    if (STOCK.contains(mode.settings().get("mode"))) {
      changes.put("badnessThreshold", 1.0); // of dynamic_snitch_badness_threshold
      return new SimulatedArm("dynamic-snitch", false, changes);
    }
    return curtail(mode.settings(), changes);
  }

  private static double number(String text, int unit) {
    return Double.parseDouble(text.substring(0, text.length() - unit));
  }

  private static SimulatedArm curtail(Map<String, String> settings, Map<String, Object> changes) {
    changes.put("nearestThreshold", NodeDefaults.NEAREST_THRESHOLD);
    changes.put("ownReads", "sampled");
    changes.put("refreshMillis", (double) NodeDefaults.REFRESH_MILLIS);
    changes.put("refreshShare", NodeDefaults.REFRESH_PERCENT / 100.0);
    String hopMillis = settings.get("passing_hop_ms");
    double hop =
        hopMillis == null ? NodeDefaults.PASSING_HOP_MILLIS : Double.parseDouble(hopMillis);
    changes.put("passLeastWaitMillis", hop);
    changes.put("passMarginMillis", hop);
    changes.put("passHorizonMillis", 4 * hop);
    if (settings.get("mode").equals("rank+rate")) {
      changes.put("rateControl", settings.getOrDefault("rate_control", "cubic"));
      changes.put("backlogMillis", (double) NodeDefaults.BACKLOG_MILLIS);
    }
    String ranking = settings.getOrDefault("policy", NodeDefaults.RANKING);
    String policy = RANKINGS.getOrDefault(ranking, ranking);
    double copies = Double.parseDouble(settings.getOrDefault("copies_percent", "0")) / 100;
    if (copies > 0) { // in place of Cassandra's own
      changes.keySet().removeIf(parameter -> parameter.startsWith("speculativeRetry"));
      changes.put("hedgeShare", copies);
      changes.put("hedgeWorkShare", copies);
    }
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String parameter = PARAMETERS.get(setting.getKey());
      if (parameter != null && !setting.getValue().equals("auto")) {
        changes.put(parameter, Double.parseDouble(setting.getValue()));
      } else if (setting.getKey().equals("passing")) {
        policy += setting.getValue().equals("on") ? "-returned" : "";
      } else if (!NAMED.contains(setting.getKey())) {
        return null;
      }
    }
    String simulated = copies > 0 ? policy + "-hedged" : policy;
    return Replay.knows(simulated) ? new SimulatedArm(simulated, false, changes) : null;
  }
}
