/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.curtail.selection.NodeDefaults;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The experiments by name. */
public final class Experiments {
  private static final List<Integer> INTERVALS = List.of(10, 50, 100, 200, 300, 500);
  private static final List<String> RIVALS =
      List.of(
          "curtail",
          "curtail-single-copy",
          "curtail-ranking-only",
          "c3",
          "c3-without-rate-control",
          "least-outstanding",
          "power-of-two",
          "peak-ewma",
          "prequal",
          "weighted-least-loaded",
          "adaptive-replica-selection",
          "dynamic-snitch",
          "round-robin-rate-controlled",
          "oracle");
  private static final List<String> SOME =
      List.of(
          "curtail",
          "curtail-single-copy",
          "curtail-ranking-only",
          "c3",
          "c3-without-rate-control",
          "least-outstanding",
          "weighted-least-loaded",
          "prequal",
          "dynamic-snitch",
          "oracle");

  private static final Map<String, Experiment> ALL = new LinkedHashMap<>();

  static {
    add(
        "fluctuation",
        "the C3 paper's sweep: servers change speed every T ms",
        "intervalMillis",
        RIVALS,
        axes(
            "intervalMillis", INTERVALS,
            "utilisation", List.of(0.45, 0.7),
            "clients", List.of(150, 300)));
    add(
        "rivals",
        "what else the field knows, in cells of that sweep: late copies, clones, held back reads",
        "intervalMillis",
        List.of(
            "curtail",
            "curtail-single-copy",
            "c3",
            "tars",
            "on-off",
            "hedge-with-budget",
            "netclone",
            "netclone-racksched",
            "das",
            "c3-das",
            "c3-das-queued",
            "dynamic-snitch",
            "dynamic-snitch-p90",
            "oracle"),
        axes("intervalMillis", List.of(10, 50, 500), "utilisation", List.of(0.45, 0.7)));
    add(
        "skew",
        "the C3 paper's demand skew: a part of the clients makes 80 % of the demand",
        "intervalMillis",
        RIVALS,
        axes(
            "heavyDemand", List.of(0.8),
            "heavyClients", List.of(0.2, 0.5),
            "intervalMillis", INTERVALS));
    add(
        "overload",
        "80, 90 and 100 % of the capacity: what extra work costs when there is no room",
        "utilisation",
        SOME,
        axes("utilisation", List.of(0.8, 0.9, 1), "intervalMillis", List.of(10, 50, 500)));
    add(
        "exponent",
        "C3's b = 1, 2, 3 without rate control",
        "intervalMillis",
        List.of("c3-without-rate-control", "oracle"),
        axes("exponent", List.of(1, 2, 3), "intervalMillis", List.of(10, 50, 500)));
    add(
        "rate-control",
        "C3 under cubic rate control and its alternatives",
        "intervalMillis",
        List.of("c3"),
        axes(
            "rateControl", List.of("cubic", "aimd", "gradient", "in-flight-limit", "none"),
            "clients", List.of(20, 150),
            "utilisation", List.of(0.45, 0.7),
            "intervalMillis", List.of(10, 50, 500)));
    add(
        "ablation",
        "what each part of Curtail's policy is worth",
        "intervalMillis",
        List.of(
            "curtail",
            "curtail-single-copy",
            "curtail-passed-on",
            "curtail-hedged",
            "curtail-tied",
            "curtail-ranking-only",
            "random-returned-hedged",
            "c3-without-rate-control-returned-hedged",
            "c3-without-rate-control-hedged",
            "c3",
            "oracle"),
        axes("utilisation", List.of(0.45, 0.7, 1), "intervalMillis", List.of(10, 50, 500)));
    addCells(
        "server",
        "curtail-server as it is installed, without and with passing and copies, on 9 to 1,000 nodes",
        List.of(
            "c3-per-slot",
            "c3-per-slot-returned",
            "c3-per-slot-returned-hedged",
            "c3-without-rate-control",
            "dynamic-snitch",
            "oracle"),
        List.of("servers", "utilisation"),
        nodes(9, "utilisation", 0.45),
        nodes(9),
        nodes(9, "utilisation", 1.1),
        nodes(50),
        nodes(200, "requests", 1_200_000),
        nodes(1_000, "warmUpMillis", 500, "requests", 2_000_000));
    addCells(
        "stability",
        "one server becomes five times slower for two seconds: load, rate and score over time",
        List.of(
            "curtail",
            "curtail-ranking-only",
            "c3",
            "c3-without-rate-control",
            "least-outstanding",
            "dynamic-snitch"),
        List.of("slowServer"),
        cell("intervalMillis", 0, "slowServer", 0, "faultAtMillis", 2_500));
    add(
        "small-faults",
        "one server is a little slower, then more: what clients with many answers each make of it",
        "slowFactor",
        List.of(
            "driver-default",
            "weighted-least-loaded",
            "least-outstanding",
            "c3-without-rate-control",
            "adaptive",
            "adaptive-hedged",
            "oracle"),
        smallFaults(),
        axes(
            "servers", List.of(3, 6),
            "clients", List.of(3, 12),
            "slowFactor", List.of(1, 1.25, 1.6, 3, 9)));
    addCells(
        "pathologies",
        "pauses, slow, failing and cold nodes, few and many clients, lost feedback, heavy tails",
        SOME,
        List.of(),
        cell("pausedServer", 0, "faultMillis", 200),
        cell("pausedServer", 0, "faultMillis", 2_000),
        cell("pausedServer", 0, "faultMillis", 20_000),
        cell("slowServer", 0, "faultMillis", 0),
        cell("failingServer", 0, "faultMillis", 1_000),
        cell("coldServer", 0, "faultMillis", 1_000),
        cell("leavingServer", 0),
        cell("clients", 10),
        cell("clients", 1_000),
        cell("feedbackLoss", 0.1),
        cell("feedbackLoss", 0.5),
        cell("feedbackDelayMillis", 50),
        cell("oneWayMillis", 1),
        cell("messageCostMicros", 100),
        cell("sizes", "pareto"),
        cell("sizes", "bimodal"),
        cell("zipf", 0.3, "utilisation", 0.45));
    addCells(
        "zones",
        "three zones as Netflix measured them, ONE and QUORUM, coordinators, speculative retry",
        SOME,
        List.of("consistency"),
        zones(),
        zones("consistency", "quorum"),
        zones("consistency", "quorum", "digestCost", 0.5),
        zones("coordinated", true, "clients", 50),
        zones("coordinated", true, "clients", 50, "speculativeRetryMillis", 20));
    addCells(
        "scale",
        "how quality and cost grow with servers and clients",
        List.of("curtail", "curtail-ranking-only", "c3", "least-outstanding", "oracle"),
        List.of("servers", "clients"),
        cell("servers", 10, "clients", 10),
        cell("servers", 10, "clients", 100),
        cell("servers", 10, "clients", 1_000),
        cell("servers", 100, "clients", 10),
        cell("servers", 100, "clients", 100),
        cell("servers", 100, "clients", 1_000),
        cell("servers", 1_000, "clients", 10, "warmUpMillis", 100),
        cell("servers", 1_000, "clients", 100, "warmUpMillis", 100),
        cell("servers", 1_000, "clients", 1_000, "warmUpMillis", 100));
  }

  private Experiments() {}

  private static Map<String, List<?>> axes(Object... namesAndValues) {
    Map<String, List<?>> axes = new LinkedHashMap<>();
    changes(namesAndValues).forEach((name, values) -> axes.put(name, (List<?>) values));
    return axes;
  }

  private static SimulatedScenario cell(Object... namesAndValues) {
    return SimulatedScenario.BASE.with(changes(namesAndValues));
  }

  private static Map<String, Object> changes(Object... namesAndValues) {
    Map<String, Object> changes = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      changes.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return changes;
  }

  /**
   * As the lab's scenario of this name: storage of half a millisecond with room for many reads, a
   * tenth of them in use. One server is slow from the first read on.
   */
  private static SimulatedScenario smallFaults() {
    return cell(
        "serviceMillis", 0.5,
        "speedFactor", 1,
        "intervalMillis", 0,
        "slots", 32,
        "oneWayMillis", 0.1,
        "utilisation", 0.1,
        "slowServer", 0,
        "faultAtMillis", 0,
        "faultMillis", 0,
        "warmUpMillis", 500);
  }

  /**
   * Nodes that have data and coordinate, with what {@code curtail-server} sets by default and two
   * copies in a hundred reads; their speeds change every 20 ms. Users ask a replica, as drivers do.
   * The dynamic snitch has its stock threshold.
   */
  private static SimulatedScenario nodes(int nodes, Object... namesAndValues) {
    SimulatedScenario cluster =
        cell(
            "servers",
            nodes,
            "clients",
            nodes,
            "coordinated",
            true,
            "coordinatorIs",
            "replica",
            "coordinatorThreads",
            128,
            "hedgeShare",
            0.02,
            "hedgeWorkShare",
            0.02,
            "intervalMillis",
            20,
            "nearestThreshold",
            NodeDefaults.NEAREST_THRESHOLD,
            "ownReads",
            "sampled",
            "refreshMillis",
            NodeDefaults.REFRESH_MILLIS,
            "refreshShare",
            NodeDefaults.REFRESH_PERCENT / 100.0,
            "passLeastWaitMillis",
            NodeDefaults.PASSING_HOP_MILLIS,
            "badnessThreshold",
            1);
    return cluster.with(changes(namesAndValues));
  }

  /** Half of the round trips that Netflix showed at ApacheCon 2022, zones A, B and C. */
  private static SimulatedScenario zones(Object... namesAndValues) {
    List<Double> delays = List.of(0.075, 0.4, 0.125, 0.4, 0.11, 0.425, 0.19, 0.35, 0.08);
    SimulatedScenario zones = cell("zones", 3, "zoneOneWayMillis", delays, "utilisation", 0.3);
    return zones.with(changes(namesAndValues));
  }

  private static void add(
      String name, String shows, String axis, List<String> policies, Map<String, List<?>> axes) {
    add(name, shows, axis, policies, SimulatedScenario.BASE, axes);
  }

  private static void add(
      String name,
      String shows,
      String axis,
      List<String> policies,
      SimulatedScenario base,
      Map<String, List<?>> axes) {
    List<String> keys = List.copyOf(axes.keySet());
    List<SimulatedScenario> cells = Experiment.grid(base, axes);
    ALL.put(name, new Experiment(name, shows, axis, keys, cells, policies));
  }

  private static void addCells(
      String name,
      String shows,
      List<String> policies,
      List<String> keys,
      SimulatedScenario... cells) {
    ALL.put(name, new Experiment(name, shows, null, keys, List.of(cells), policies));
  }

  /** Returns all experiments, in the order in which to list them. */
  public static List<Experiment> all() {
    return List.copyOf(ALL.values());
  }

  /**
   * Returns the experiment of that name, or the one that a file describes: parameters of {@code
   * reference.conf}, and a list {@code policies} if it likes.
   *
   * @throws IllegalArgumentException if there is none, or the file is wrong
   */
  public static Experiment named(String name) {
    if (ALL.containsKey(name)) {
      return ALL.get(name);
    }
    File file = new File(name);
    if (!file.isFile()) {
      throw new IllegalArgumentException(
          "there is no experiment or file '"
              + name
              + "'; there are "
              + String.join(", ", ALL.keySet()));
    }
    try {
      Config config = ConfigFactory.parseFile(file);
      List<String> policies =
          config.hasPath("policies") ? config.getStringList("policies") : new ArrayList<>(SOME);
      SimulatedScenario cell = SimulatedScenario.BASE.with(config.withoutPath("policies"));
      String shows = "your cluster, as " + file.getName() + " describes it";
      return new Experiment(file.getName(), shows, null, List.of(), List.of(cell), policies);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
