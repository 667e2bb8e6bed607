/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.curtail.selection.hedging.Hedging;
import io.curtail.selection.passing.PassingSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A simulated cluster, its load and what goes wrong in it: the parameters in {@code
 * reference.conf}, checked. Immutable.
 */
public final class SimulatedScenario {
  private static final String ROOT = "curtail.simulate";
  private static final Config DEFAULTS =
      ConfigFactory.defaultReference(SimulatedScenario.class.getClassLoader()).getConfig(ROOT);

  /** The C3 paper's base cell. */
  public static final SimulatedScenario BASE = new SimulatedScenario(DEFAULTS);

  private final Config config;
  final int servers;
  final int slots;
  final int replicationFactor;
  final double serviceMillis;
  final double speedFactor;
  final double intervalMillis;
  final Sizes sizes;
  final double messageCostMicros;
  final double oneWayMillis;
  final int zones;
  final List<Double> zoneOneWayMillis;
  final int clients;
  final double utilisation;
  final int requests;
  final double warmUpMillis;
  final boolean authorsArrivals;
  final double heavyClients;
  final double heavyDemand;
  final double zipf;
  final double broadcast;
  final int neededAnswers;
  final boolean coordinated;
  final boolean coordinatorIsReplica;
  final int coordinatorThreads;
  final double nearestThreshold;
  final boolean ownReadsSampled;
  final double refreshMillis;
  final double refreshShare;
  final double digestCost;
  final double timeoutMillis;
  final double speculativeRetryMillis;
  final double speculativeRetryPercentile;
  final double speculativeRetryUpdateMillis;
  final String rateControl;
  final double rateWindowMillis;
  final double backlogMillis;
  final boolean cassandraRateLimiter;
  final double exponent;
  final double outstandingWeight;
  final double averagingMillis;
  final double badnessThreshold;
  final double feedbackMemoryMillis;
  final double responseMemoryMillis;
  final double passLeastWaitMillis;
  final double passMarginMillis;
  final double passHorizonMillis;
  final double passOverloadServices;
  final double hedgeShare;
  final double driverHedgeShare;
  final double hedgeWorkShare;
  final double hedgeBusyShare;
  final boolean tiesInOrder;
  final double newSampleWeight;
  final boolean oracleSeesInFlight;
  final double feedbackLoss;
  final double feedbackDelayMillis;
  final double claimLoss;
  final int slowServer;
  final double slowFactor;
  final double addedMillis;
  final int pausedServer;
  final int failingServer;
  final int coldServer;
  final int leavingServer;
  final double faultAtMillis;
  final double faultMillis;

  private SimulatedScenario(Config config) {
    this.config = config;
    servers = wholeNumber("servers", 1, 1_000);
    slots = wholeNumber("slots", 1, 1_000);
    replicationFactor = wholeNumber("replicationFactor", 1, servers);
    serviceMillis = number("serviceMillis", 1e-6, 1e6);
    double factor = number("speedFactor", 1, 1_000);
    speedFactor =
        word("speedFactorIs", List.of("factor", "increment")).equals("factor")
            ? factor
            : 1 + factor;
    intervalMillis = number("intervalMillis", 0, 1e9);
    sizes = Sizes.named(word("sizes", Sizes.NAMES));
    messageCostMicros = number("messageCostMicros", 0, 1e6);
    oneWayMillis = number("oneWayMillis", 0, 1e6);
    zones = wholeNumber("zones", 1, servers);
    zoneOneWayMillis = config.getDoubleList("zoneOneWayMillis");
    require(
        zoneOneWayMillis.isEmpty() || zoneOneWayMillis.size() == zones * zones,
        "zoneOneWayMillis must have zones x zones = " + zones * zones + " numbers");
    require(
        zoneOneWayMillis.stream().allMatch(delay -> delay >= 0),
        "zoneOneWayMillis must not be negative");
    clients = wholeNumber("clients", 1, 1_000);
    utilisation = config.getDouble("utilisation");
    require(utilisation > 0, "utilisation must be above 0, not " + utilisation);
    require(
        utilisation <= 2,
        "utilisation " + utilisation + " is over twice the capacity of the cluster; at most 2");
    requests = wholeNumber("requests", 1, Integer.MAX_VALUE);
    warmUpMillis = number("warmUpMillis", 0, 1e9);
    boolean authors = word("model", List.of("paper", "authors")).equals("authors");
    authorsArrivals =
        authors || word("arrivals", List.of("exponential", "authors")).equals("authors");
    heavyClients = number("heavyClients", 0, 1);
    heavyDemand = number("heavyDemand", 0, 1);
    zipf = number("zipf", 0, 10);
    broadcast = authors ? 0.1 : number("broadcast", 0, 1);
    neededAnswers =
        word("consistency", List.of("one", "quorum")).equals("one") ? 1 : replicationFactor / 2 + 1;
    coordinated = config.getBoolean("coordinated");
    coordinatorIsReplica =
        word("coordinatorIs", List.of("anyone", "replica")).equals("replica") && coordinated;
    require(
        !coordinatorIsReplica || clients >= servers,
        "coordinatorIs = replica needs a coordinator on each server: clients of at least "
            + servers);
    coordinatorThreads = wholeNumber("coordinatorThreads", 0, 1_000_000);
    nearestThreshold = number("nearestThreshold", -1, 100);
    ownReadsSampled = word("ownReads", List.of("answered", "sampled")).equals("sampled");
    refreshMillis = number("refreshMillis", 0, 1e9);
    refreshShare = number("refreshShare", 0, 1);
    digestCost = number("digestCost", 0, 1);
    timeoutMillis = number("timeoutMillis", 0, 1e9);
    speculativeRetryMillis = number("speculativeRetryMillis", 0, 1e9);
    speculativeRetryPercentile = number("speculativeRetryPercentile", 0, 100);
    speculativeRetryUpdateMillis = number("speculativeRetryUpdateMillis", 1, 1e9);
    rateControl = config.getString("rateControl");
    rateWindowMillis = number("rateWindowMillis", 1e-3, 1e9);
    backlogMillis = number("backlogMillis", 0, 1e9);
    cassandraRateLimiter = word("rateLimiter", List.of("authors", "cassandra")).equals("cassandra");
    exponent = number("exponent", 1, 10);
    outstandingWeight = number("outstandingWeight", -1, 1e6);
    averagingMillis = number("averagingMillis", 0, 1e9);
    badnessThreshold = number("badnessThreshold", 0, 1e6);
    feedbackMemoryMillis = number("feedbackMemoryMillis", 1e-3, 1e9);
    responseMemoryMillis = number("responseMemoryMillis", 1e-3, 1e9);
    passLeastWaitMillis = number("passLeastWaitMillis", 0, 1e9);
    passMarginMillis = number("passMarginMillis", 0, 1e9);
    passHorizonMillis = number("passHorizonMillis", 0, 1e9);
    hedgeShare = number("hedgeShare", 1e-6, 0.5);
    driverHedgeShare = number("driverHedgeShare", 1e-6, Hedging.MOST_SHARE);
    hedgeWorkShare = number("hedgeWorkShare", 1e-6, 1);
    hedgeBusyShare = number("hedgeBusyShare", 1e-6, 1);
    passOverloadServices = number("passOverloadServices", 0, 1e9);
    tiesInOrder = authors || config.getBoolean("tiesInOrder");
    newSampleWeight = number("newSampleWeight", -1, 1);
    oracleSeesInFlight = !authors && config.getBoolean("oracleSeesInFlight");
    feedbackLoss = number("feedbackLoss", 0, 1);
    feedbackDelayMillis = number("feedbackDelayMillis", 0, 1e6);
    claimLoss = number("claimLoss", 0, 1);
    slowServer = wholeNumber("slowServer", -1, servers - 1);
    slowFactor = number("slowFactor", 1, 1e6);
    addedMillis = number("addedMillis", 0, 1e6);
    pausedServer = wholeNumber("pausedServer", -1, servers - 1);
    failingServer = wholeNumber("failingServer", -1, servers - 1);
    coldServer = wholeNumber("coldServer", -1, servers - 1);
    leavingServer = wholeNumber("leavingServer", -1, servers - 1);
    faultAtMillis = number("faultAtMillis", 0, 1e9);
    faultMillis = number("faultMillis", 0, 1e9);
  }

  private static void require(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message);
    }
  }

  private double number(String key, double least, double most) {
    double value = config.getDouble(key);
    require(
        value >= least && value <= most,
        key + " must be from " + plain(least) + " to " + plain(most) + ", not " + plain(value));
    return value;
  }

  private int wholeNumber(String key, int least, int most) {
    double value = number(key, least, most);
    require(value == Math.rint(value), key + " must be a whole number, not " + value);
    return (int) value;
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private String word(String key, List<String> words) {
    String value = config.getString(key);
    require(
        words.contains(value),
        key + " must be one of " + String.join(", ", words) + ", not '" + value + "'");
    return value;
  }

  /**
   * Returns this scenario with one parameter changed.
   *
   * @throws IllegalArgumentException if there is no such parameter, or the value is out of range
   */
  public SimulatedScenario with(String key, Object value) {
    return with(Map.of(key, value));
  }

  /** Returns this scenario with some parameters changed. See {@link #with(String, Object)}. */
  public SimulatedScenario with(Map<String, ?> changes) {
    Config changed = config;
    for (Map.Entry<String, ?> change : changes.entrySet()) {
      requireKnown(change.getKey());
      Object value =
          change.getValue() instanceof String text
              ? parsed(change.getKey(), text)
              : change.getValue();
      changed = changed.withValue(change.getKey(), ConfigValueFactory.fromAnyRef(value));
    }
    return checked(changed);
  }

  private static Object parsed(String key, String value) {
    try {
      return ConfigFactory.parseString("value = " + value).getValue("value").unwrapped();
    } catch (ConfigException e) {
      throw new IllegalArgumentException(key + " must be one value, not '" + value + "'", e);
    }
  }

  /** Returns this scenario with what a user's file changes, all of its keys under no root. */
  public SimulatedScenario with(Config file) {
    file.root().keySet().forEach(SimulatedScenario::requireKnown);
    return checked(file.withFallback(config).resolve());
  }

  private static SimulatedScenario checked(Config changed) {
    try {
      return new SimulatedScenario(changed);
    } catch (ConfigException.WrongType e) {
      // such as "hardcoded value: zipf has type STRING rather than NUMBER"
      throw new IllegalArgumentException(e.getMessage().replaceFirst("^hardcoded value: ", ""), e);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static void requireKnown(String key) {
    if (!DEFAULTS.root().containsKey(key)) {
      throw new IllegalArgumentException(
          "there is no parameter '"
              + key
              + "'; there are "
              + String.join(", ", new TreeSet<>(DEFAULTS.root().keySet())));
    }
  }

  /** Returns the parameters that differ from the base cell's, by name. */
  public Map<String, Object> changes() {
    Map<String, Object> changes = new TreeMap<>();
    config
        .root()
        .unwrapped()
        .forEach(
            (key, value) -> {
              if (!value.equals(DEFAULTS.root().unwrapped().get(key))) {
                changes.put(key, value);
              }
            });
    return changes;
  }

  Map<String, Object> all() {
    return config.root().unwrapped();
  }

  /** Returns a parameter's value, a number, a word, a truth value or a list. */
  public Object get(String key) {
    requireKnown(key);
    return config.getAnyRef(key);
  }

  /** Returns what a parameter means, from its comment in {@code reference.conf}. */
  static String meaning(String key) {
    return DEFAULTS.getValue(key).origin().comments().stream()
        .map(String::strip)
        .filter(line -> !line.startsWith("----"))
        .collect(Collectors.joining(" "));
  }

  PassingSettings passingSettings() {
    return new PassingSettings(
        (long) (passLeastWaitMillis * 1e6),
        (long) (passMarginMillis * 1e6),
        (long) (passHorizonMillis * 1e6),
        passOverloadServices);
  }

  /**
   * Makes sure that there will be a result.
   *
   * @throws IllegalArgumentException if all reads arrive in the warm-up, in which none counts
   */
  void requireReadsThatCount() {
    double inWarmUp = utilisation * capacityPerMilli() * warmUpMillis;
    require(
        requests > inWarmUp,
        String.format(
            Locale.ROOT,
            "requests must be over %.0f, not %d: all would arrive in the first %s ms, in which none"
                + " is counted (warmUpMillis)",
            inWarmUp,
            requests,
            plain(warmUpMillis)));
  }

  /** Returns the reads that the whole cluster can serve in a millisecond, on average. */
  double capacityPerMilli() {
    double perSlot =
        (1 / serviceMillis) * (intervalMillis == 0 ? speedFactor : (1 + speedFactor) / 2);
    return servers * slots * perSlot;
  }
}
