/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.cli.option.EngineJars;
import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.SecondsOption;
import io.curtail.cli.option.SeedOption;
import io.curtail.cli.option.StorageOptions;
import io.curtail.cli.output.CampaignRunner;
import io.curtail.cli.output.MoreFiles;
import io.curtail.cli.output.ReportOptions;
import io.curtail.lab.Campaign;
import io.curtail.lab.arm.ServerModeArms;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.PauseCycle;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.ScenarioSettingsBuilder;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.scenario.FluctuationScenario;
import io.curtail.lab.scenario.Scenarios;
import io.curtail.lab.soak.Soak;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code curtail lab run}. */
@Command(
    name = "run",
    description = {
      "Starts real clusters and measures side by side, on the same nodes in turns.",
      "Policies of the client: zones, slow-coordinator, paused-node, steady.",
      "Policies of the client, on storage with random times, in slow motion: small-faults and"
          + " small-faults-disk (a node gets slower step by step: what does it cost?), rough-day or"
          + " one part of it: rough-day-well, -refusals, -restarts, -hot-keys, -all-slow, -overload.",
      "The same steps with C3 in the nodes: small-faults-server, small-faults-disk-server.",
      "C3 in the nodes and Cassandra's dynamic snitch: c3-vs-snitch, or one part of it:"
          + " c3-vs-snitch-well, -sub-millisecond, -slow-disk, -slow-disks, -busy-disks, -pause,"
          + " -throughput, -joining.",
      "The C3 paper's experiment in slow motion, and simulated beside it: fluctuation. Its"
          + " workloads: c3-workloads, or one part: c3-workloads-mixes, -ssd, -skew, -joining, -well.",
      "soak, alone: C3 in the nodes for 20 minutes, in rounds with a fault each: do heap, threads and"
          + " outstanding reads stay flat?",
      "A node with the RocksDB storage engine and a stock one: engine-vs-stock, which alone takes"
          + " --table, --heap, --off-heap, --memory and --parameter."
    },
    footer = {
      "",
      "Ctrl-C stops the nodes and keeps what is finished.",
      "Exit code 1 if no run of a condition passed the rules, or the soak was not flat."
    })
final class LabRunCommand implements Callable<Integer> {
  private static final List<String> NOT_OF_A_SOAK =
      List.of(
          "--pairs",
          "--warm-up",
          "--slow-motion",
          "--max-foreign-cpu",
          "--figures",
          "--histograms");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SCENARIO",
      arity = "0..*",
      completionCandidates = ScenarioNames.class,
      description = "What to run, in this order.")
  private List<String> scenarios = List.of();

  @Option(
      names = {"-n", "--nodes"},
      description =
          "Of each cluster, 1 to 12, in as many as three zones; by scenario 1, 3, 5, 6 or 9 if not"
              + " given.")
  private Optional<Integer> nodes;

  @Mixin private final ClusterOptions clusterOptions = new ClusterOptions(Jit.C2);

  @Option(
      names = "--client-zones",
      paramLabel = "ZONE",
      split = ",",
      description =
          "Zones with a client, such as A; one in each if not given. Fewer clients have more"
              + " requests in flight each.")
  private List<String> clientZones = List.of();

  @Option(
      names = "--slow-motion",
      paramLabel = "FACTOR",
      description =
          "Multiplies zone latencies and the delays of slow coordinators and slow disks: as with so"
              + " many times faster nodes, at so many times the rate. If not given, 50 for fluctuation"
              + " and rough-day, 40 for small-faults and c3-workloads, else 1.")
  private Optional<Integer> slowMotion;

  @Option(
      names = "--interval",
      paramLabel = "MILLIS",
      split = ",",
      description =
          "For fluctuation: T between changes of speed, one or more, in the C3 paper's milliseconds,"
              + " 10 to 500 there; 50 and 200 if not given.")
  private List<Integer> intervals = List.of();

  @Option(
      names = "--coordinators",
      paramLabel = "NUMBER",
      description =
          "For fluctuation: so many nodes more, which own no data and alone get the clients'"
              + " requests, as in a cluster so large that a coordinator sends each replica little."
              + " None if not given.")
  private int coordinators;

  @Option(
      names = "--delay",
      paramLabel = "MILLIS",
      split = ",",
      description =
          "For small-faults: what the slow node adds, step by step, one or more;"
              + " 0.1,0.3,1,3,10,50 if not given.")
  private List<Double> delays = List.of();

  @Mixin private final PairsOption pairs = new PairsOption();

  @Option(
      names = "--rate",
      paramLabel = "PER_SECOND",
      split = ",",
      description =
          "Requests a second over all clients; one or more; the scenario's own if not given.")
  private List<Double> rates = List.of();

  @Mixin private final SecondsOption seconds = new SecondsOption();

  @Option(
      names = "--consistency",
      paramLabel = "LEVEL",
      split = ",",
      description =
          "ONE, QUORUM, LOCAL_ONE, LOCAL_QUORUM and so on; one or more; the scenario's own if not"
              + " given.")
  private List<String> consistencies = List.of();

  @Option(
      names = "--policy",
      split = ",",
      completionCandidates = PolicyNames.class,
      description = {
        "Of ${COMPLETION-CANDIDATES}, or a class name, with options as in"
            + " weighted-least-loaded,weighted.non-rack=2. The first is what the others are compared"
            + " with. If not given: stock-default, weighted-least-loaded, stock-basic; in rough-day"
            + " stock-default, stock-speculative, adaptive, adaptive-hedged; in small-faults these and"
            + " weighted-least-loaded."
      })
  private List<String> policies = List.of();

  @Option(
      names = "--speculative-retry",
      paramLabel = "WHEN",
      description =
          "When a coordinator sends a second copy of a read: never, always, or as in 99p and 20ms;"
              + " if not given, never in fluctuation, c3-workloads and small-faults-*server, else"
              + " Cassandra's default, 99p.")
  private Optional<String> speculativeRetry;

  @Option(
      names = "--server",
      paramLabel = "MODE",
      split = ",",
      description = {
        "For c3-vs-snitch, fluctuation, c3-workloads, small-faults-*server and soak: stock (the"
            + " dynamic snitch, Curtail taken out through JMX), or a mode of curtail-server: off,"
            + " observe, rank (C3), rank+rate, with settings as in rank,refresh_ms=500. The first is"
            + " what the others are compared with. stock and rank if not given, also rank,passing=on"
            + " in slow motion, and in fluctuation more, as in stock,speculative_retry=99p. A soak"
            + " takes the last; stock is its control, nodes without the jar.",
        "Where policies of the client are compared: one mode of curtail-server for the nodes of all"
            + " arms; stock nodes if not given."
      })
  private List<String> serverModes = List.of();

  @Option(
      names = "--mix",
      split = ",",
      description =
          "YCSB's A (50 %% reads), B (95 %%) or C (100 %%), or W (0 %%); the scenario's own if not"
              + " given.")
  private List<Mix> mixes = List.of();

  @Option(
      names = "--clients",
      paramLabel = "NUMBER",
      split = ",",
      description =
          "Of closed loops: clients that send one request after the other, each number a run;"
              + " 4, 16 and 64 in engine-vs-stock, 48 in steady, 12 in small-faults.")
  private List<Integer> clients = List.of();

  @Option(
      names = "--keys",
      description =
          "uniform or zipfian (0.99); zipfian in c3-vs-snitch, c3-workloads and soak, else uniform.")
  private Optional<String> keys;

  @Option(
      names = "--rows",
      description = "Rows in the table; 60000 in engine-vs-stock, else 5000, if not given.")
  private Optional<Integer> rows;

  @Option(
      names = "--pause",
      paramLabel = "PAUSE/RUN",
      split = ",",
      description =
          "For paused-node, in seconds: 2/3 if not given, 0.2/1.8 is short, 20/30 is the talk's.")
  private List<String> pauses = List.of();

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "Load before the first run of each cluster. If not given, 24 in fluctuation, c3-workloads"
              + " and small-faults-*server, 40 in other small-faults and rough-day, 60 in"
              + " engine-vs-stock, there at most four times as long, until the nodes' compilers have"
              + " little left to do; else 240.")
  private Integer warmUpSeconds;

  @Option(
      names = "--max-foreign-cpu",
      paramLabel = "SHARE",
      defaultValue = "0.1",
      description = "Discard runs during which other programs took more of the processors.")
  private double maxForeignCpu;

  @Mixin private final StorageOptions storage = new StorageOptions();

  @Mixin private SeedOption seed;

  @Mixin private final MoreFiles more = new MoreFiles();

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException {
    if (scenarios.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "Missing required parameter: 'SCENARIO'");
    }
    scenarios = scenarios.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().toList();
    return scenarios.contains(Soak.NAME) ? soak() : campaign();
  }

  private int campaign() throws IOException {
    List<Scenario> chosen = scenarios.stream().map(Scenarios::named).toList();
    Set<Choice> choices = EnumSet.noneOf(Choice.class);
    chosen.forEach(scenario -> choices.addAll(scenario.choices()));
    ScenarioSettings settings = settings(choices, chosen);
    CampaignRunner runner = new CampaignRunner(output, more);
    OptionalInt warmUp =
        warmUpSeconds == null ? OptionalInt.empty() : OptionalInt.of(warmUpSeconds);
    return runner.run(new Campaign(chosen, settings, warmUp, runner));
  }

  private int soak() throws IOException {
    if (scenarios.size() > 1) {
      throw new IllegalArgumentException("scenario: soak runs alone");
    }
    if (mixes.size() > 1 || rates.size() > 1) {
      throw new IllegalArgumentException("--mix, --rate: a soak takes one of each");
    }
    NOT_OF_A_SOAK.forEach(this::refuse);
    ScenarioSettings settings = settings(Soak.CHOICES, List.of());
    CampaignRunner runner = new CampaignRunner(output);
    return runner.run(new Soak(settings, runner));
  }

  private ScenarioSettings settings(Set<Choice> choices, List<Scenario> chosen) throws IOException {
    EnumSet.complementOf(EnumSet.copyOf(choices)).forEach(choice -> refuse(choice.option()));
    if (coordinators != 0 && !scenarios.equals(List.of(FluctuationScenario.NAME))) {
      throw new IllegalArgumentException("--coordinators is for fluctuation, alone");
    }
    List<ServerMode> modes =
        WithSettings.join(serverModes).stream().map(ServerMode::parse).toList();
    ServerModeArms.check(modes);
    ScenarioSettingsBuilder settings =
        ScenarioSettings.builder()
            .nodes(nodes)
            .coordinators(coordinators)
            .jit(clusterOptions.jit())
            .networking(clusterOptions.networking())
            .clientZones(clientZones)
            .slowMotion(slowMotion.orElseGet(() -> slowMotionOf(chosen)))
            .pairs(pairs.ifGiven())
            .rates(rates)
            .seconds(seconds.ifGiven())
            .consistencies(consistencies.stream().map(LoadSpec::consistencyNamed).toList())
            .pauseCycles(pauses.stream().map(PauseCycle::parse).toList())
            .mixes(mixes)
            .clients(clients)
            .keys(keys)
            .rows(rows)
            .speculativeRetry(speculativeRetry)
            .intervals(intervals)
            .delays(
                delays.stream().map(millis -> Duration.ofNanos(Math.round(millis * 1e6))).toList())
            .maxForeignCpuShare(maxForeignCpu)
            .policies(WithSettings.join(policies).stream().map(Policy::parse).toList())
            .serverModes(modes)
            .seed(seed.seed());
    if (choices.contains(Choice.TABLE)) {
      settings.engine(storage.settings(EngineJars.engine()));
    }
    return settings.build();
  }

  /** An option that no scenario looks at is more likely a mistake than meant. */
  private void refuse(String option) {
    if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
      throw new IllegalArgumentException(
          option + " is not for " + String.join(", ", scenarios) + " (see curtail lab run --help)");
    }
  }

  /** That of the scenarios, if it is the same for all of them. */
  private int slowMotionOf(List<Scenario> chosen) {
    List<Integer> factors = chosen.stream().map(Scenario::slowMotion).distinct().toList();
    if (factors.size() > 1) {
      throw new IllegalArgumentException(
          "say --slow-motion: %s have each their own".formatted(String.join(", ", scenarios)));
    }
    return factors.isEmpty() ? 1 : factors.get(0);
  }

  /** What can be run, for the completion of command lines. */
  static final class ScenarioNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(Scenarios.all().stream().map(Scenario::name), Stream.of(Soak.NAME))
          .iterator();
    }
  }

  /** The policies that have a name. */
  static final class PolicyNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Policy.NAMED.stream().map(Policy::name).iterator();
    }
  }
}
