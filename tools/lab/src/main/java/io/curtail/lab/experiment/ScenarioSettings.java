/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.Networking;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.cluster.SpeculativeRetryOption;
import io.curtail.lab.load.KeyDistribution;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.network.ZoneLatencies;
import io.curtail.report.Unit;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.ConcreteSettersForOptionalMode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a user may set for all scenarios of a run; an empty value leaves the choice to the scenario.
 *
 * @param nodes 1 to 12
 * @param coordinators nodes beside them that own no data, for the experiment of the C3 paper
 * @param rates requests a second over all clients
 * @param jit the compiler of the nodes' JVMs
 * @param networking whether messages between nodes are delayed as well
 * @param clientZones those that have a client; all of the cluster's zones if empty
 * @param slowMotion multiplies zone latencies, the slow coordinator's delay and that of slow disks,
 *     1 to 1000
 * @param seconds that one run counts, at least 2
 * @param consistencies of reads and writes, each measured by itself
 * @param pauseCycles how long a node stands still and how often, each measured by itself
 * @param pairs how often each arm is measured in each condition
 * @param mixes of reads and writes
 * @param clients requests in flight of closed loops, each number measured by itself
 * @param keys {@code uniform} or {@code zipfian}
 * @param rows of the table, at least 2
 * @param speculativeRetry of the table, as CQL has it; Cassandra's default, {@code 99p}, if empty
 * @param policies of the client; the first is the reference that the others are divided by
 * @param delays that a node gets step by step, as at real speed
 * @param serverModes for scenarios about the nodes, of which the first is the reference; or one of
 *     all nodes, where clients are compared
 * @param intervals between changes of speed, in the paper's milliseconds
 * @param engine for the scenario about the storage engine
 * @param maxForeignCpuShare runs during which other programs took more are discarded, 0 to 1
 * @param seed of arrivals, keys, operations and turns; the same one gives the same
 */
@RecordBuilder
@RecordBuilder.Options(
    addConcreteSettersForOptional = ConcreteSettersForOptionalMode.ENABLED,
    useImmutableCollections = true,
    enableWither = false)
public record ScenarioSettings(
    Optional<Integer> nodes,
    int coordinators,
    Jit jit,
    Networking networking,
    List<String> clientZones,
    int slowMotion,
    OptionalInt pairs,
    List<Double> rates,
    OptionalInt seconds,
    List<ConsistencyLevel> consistencies,
    List<PauseCycle> pauseCycles,
    List<Mix> mixes,
    List<Integer> clients,
    Optional<String> keys,
    Optional<Integer> rows,
    Optional<String> speculativeRetry,
    List<Policy> policies,
    List<Duration> delays,
    List<ServerMode> serverModes,
    List<Integer> intervals,
    double maxForeignCpuShare,
    EngineSettings engine,
    long seed) {
  /** Of the lab's own table. */
  public static final int ROWS = 5_000;

  private static final String UNIFORM = "uniform";

  /** Modes in which nodes report nothing. */
  private static final Set<String> SILENT = Set.of("stock", "off");

  /** What is run when the user sets nothing. */
  public static final ScenarioSettings DEFAULT = builder().build();

  public ScenarioSettings {
    require(
        nodes.filter(n -> n < 1 || n > ClusterSpec.MAX_NODES).isEmpty(),
        "nodes: 1 to " + ClusterSpec.MAX_NODES);
    require(
        coordinators >= 0 && coordinators <= ClusterSpec.MAX_COORDINATORS,
        "coordinators: 0 to " + ClusterSpec.MAX_COORDINATORS);
    require(rates.stream().allMatch(rate -> rate > 0), "rate: more than 0 requests a second");
    require(pairs.isEmpty() || pairs.getAsInt() >= 1, "pairs: at least 1");
    require(seconds.isEmpty() || seconds.getAsInt() >= 2, "seconds: at least 2");
    require(
        ZoneLatencies.zones().containsAll(clientZones),
        "client-zones: some of "
            + String.join(", ", ZoneLatencies.zones())
            + ", not "
            + String.join(",", clientZones));
    require(slowMotion >= 1 && slowMotion <= 1_000, "slow-motion: a factor between 1 and 1000");
    require(rows.isEmpty() || rows.get() >= 2, "rows: at least 2");
    require(clients.stream().allMatch(n -> n >= 1 && n <= 1_000), "clients: 1 to 1000");
    speculativeRetry =
        speculativeRetry.map(retry -> SpeculativeRetryOption.parse("speculative-retry", retry));
    require(delays.stream().allMatch(delay -> delay.toNanos() > 0), "delay: more than 0 ms, each");
    require(intervals.stream().allMatch(t -> t >= 0), "interval: 0 ms or more");
    require(
        maxForeignCpuShare >= 0 && maxForeignCpuShare <= 1,
        "max-foreign-cpu: a share between 0 and 1");
    KeyDistribution.named(keys.orElse(UNIFORM), 2);
    requireOnce("policy", policies.stream().map(Policy::name).toList());
    requireOnce("server", serverModes.stream().map(ServerMode::name).toList());
  }

  /** Results are known by their arms' names. */
  private static void requireOnce(String option, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      require(seen.add(name), option + ": " + name + " twice");
    }
  }

  public int pairsOr(int byDefault) {
    return pairs.orElse(byDefault);
  }

  public List<Double> ratesOr(List<Double> byDefault) {
    return rates.isEmpty() ? byDefault : rates;
  }

  public List<ConsistencyLevel> consistenciesOr(List<ConsistencyLevel> byDefault) {
    return consistencies.isEmpty() ? byDefault : consistencies;
  }

  public List<PauseCycle> pauseCyclesOr(PauseCycle... byDefault) {
    return pauseCycles.isEmpty() ? List.of(byDefault) : pauseCycles;
  }

  public List<Mix> mixesOr(Mix... byDefault) {
    return mixes.isEmpty() ? List.of(byDefault) : mixes;
  }

  public List<Integer> clientsOr(Integer... byDefault) {
    return clients.isEmpty() ? List.of(byDefault) : clients;
  }

  public List<Policy> policiesOr(List<Policy> byDefault) {
    return policies.isEmpty() ? byDefault : policies;
  }

  /** In slow motion. */
  public List<Duration> delaysOr(List<Duration> byDefault) {
    return (delays.isEmpty() ? byDefault : delays)
        .stream().map(delay -> delay.multipliedBy(slowMotion)).toList();
  }

  public List<ServerMode> serverModesOr(List<ServerMode> byDefault) {
    return serverModes.isEmpty() ? byDefault : serverModes;
  }

  /**
   * Of all nodes, in scenarios that compare clients; empty if nodes are stock.
   *
   * @throws IllegalArgumentException if there are several, or nodes report nothing in it
   */
  public Optional<ServerMode> modeOfNodes() {
    require(serverModes.size() <= 1, "server: one mode, of all nodes, where clients are compared");
    Optional<ServerMode> mode = serverModes.stream().findFirst();
    require(
        mode.stream()
            .map(ServerMode::settings)
            .noneMatch(
                set ->
                    SILENT.contains(set.get("mode"))
                        || set.containsKey(ServerMode.SPECULATIVE_RETRY)),
        "server: observe, rank or rank+rate where clients are compared; nodes are stock without"
            + " --server, and second copies are set by --speculative-retry");
    return mode;
  }

  /**
   * Those of scenarios that compare the dynamic snitch with what an operator gets, on one table.
   *
   * @throws IllegalArgumentException if one has an option of the table
   */
  public List<ServerMode> snitchAndC3() {
    List<ServerMode> modes = serverModesOr(List.of(ServerMode.DYNAMIC_SNITCH, ServerMode.C3));
    require(
        modes.stream().noneMatch(mode -> mode.settings().containsKey(ServerMode.SPECULATIVE_RETRY)),
        "server: the arms of this scenario share a table: say --speculative-retry in place of "
            + ServerMode.SPECULATIVE_RETRY);
    return modes;
  }

  /**
   * For scenarios that ask nodes through JMX, which does not reach into a node's own network.
   *
   * @throws IllegalArgumentException if each node has one
   */
  public void requireJmx(String scenario) {
    require(
        networking != Networking.NAMESPACES,
        scenario + ": not with --network NAMESPACES, since JMX does not reach its nodes");
  }

  public List<Integer> intervalsOr(List<Integer> byDefault) {
    return intervals.isEmpty() ? byDefault : intervals;
  }

  public int rowsOr(int byDefault) {
    return rows.orElse(byDefault);
  }

  public KeyDistribution keysOr(String byDefault) {
    return keysOr(byDefault, ROWS);
  }

  public KeyDistribution keysOr(String byDefault, int rowsByDefault) {
    return KeyDistribution.named(keys.orElse(byDefault), rowsOr(rowsByDefault));
  }

  /** An open loop of this length unless the user set another. */
  public LoadSpec load(double rateHz, int secondsByDefault) {
    Duration length = Duration.ofSeconds(seconds.orElse(secondsByDefault));
    return LoadSpec.openLoop(rateHz, length, keysOr(UNIFORM))
        .withMix(mixesOr(Mix.C).get(0))
        .withSeed(seed);
  }

  /** The talk's distances, in slow motion if asked. */
  public ZoneLatencies latencies() {
    return ZoneLatencies.TALK.times(slowMotion);
  }

  /** How a condition is called. */
  public String label(ConsistencyLevel level, double rateHz) {
    String label = level + " at " + Unit.RATE.format(rateHz);
    return (slowMotion == 1 ? label : label + ", delays ×" + slowMotion) + speculationLabel();
  }

  /** For the end of a condition's name; empty if it is Cassandra's default. */
  public String speculationLabel() {
    return speculativeRetry.map(retry -> ", speculative retry " + retry).orElse("");
  }

  /** For the end of a condition's name where clients are compared; empty if nodes are stock. */
  public String nodesLabel() {
    return modeOfNodes().map(mode -> ", nodes " + mode.name()).orElse("");
  }

  public String cassandraVersion() {
    return ClusterSpec.defaultCassandraVersion();
  }

  public RunQuality rules() {
    return RunQuality.limits(slowMotion, maxForeignCpuShare);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Starts from what is run when the user sets nothing. */
  public static ScenarioSettingsBuilder builder() {
    return ScenarioSettingsBuilder.builder()
        .jit(Jit.C2)
        .networking(Networking.LOOPBACK)
        .slowMotion(1)
        .maxForeignCpuShare(RunQuality.MOST_FOREIGN_CPU_SHARE)
        .engine(EngineSettings.DEFAULT)
        .seed(1);
  }
}
