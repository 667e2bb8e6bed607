/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.soak;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.campaign.StoppableRun;
import io.curtail.campaign.process.Polling;
import io.curtail.lab.arm.PolicyArms;
import io.curtail.lab.arm.ServerModeArms;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.experiment.WarmUp;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.SlowStorages;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Loads nodes with {@code curtail-server} for long, in rounds with a fault each, and looks in the
 * rest after each round whether anything was left behind: heap, threads, reads that are counted as
 * outstanding for ever, exceptions in hooks.
 */
public final class Soak extends StoppableRun {
  /** As a user types it. */
  public static final String NAME = "soak";

  /** Which of a user's choices it looks at. */
  public static final Set<Choice> CHOICES =
      Set.of(Choice.RATE, Choice.MIX, Choice.KEYS, Choice.SERVER);

  private static final int NODES = 5;
  private static final int SECONDS = 1200;
  private static final int ROUND_SECONDS = 20;
  private static final double RATE_HZ = 400;
  private static final int WARM_UP_SECONDS = 20;
  private static final List<ServerMode> OTHER_MODES =
      List.of(ServerMode.parse("off"), ServerMode.parse("observe"), ServerMode.parse("rank+rate"));
  private static final Duration SLOW_DISK = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration BETWEEN_PAUSES = Duration.ofSeconds(4);

  /** Longer than the read timeout, after which a lost read is no longer counted. */
  private static final long REST_SECONDS = 15;

  private final ScenarioSettings settings;
  private final ServerMode soaked;
  private final boolean control;
  private final List<SoakResult.Round> rounds = new ArrayList<>();

  /**
   * The last server mode of the settings is soaked; the run's length is in their seconds. Stock is
   * a control: the same rounds on nodes without the plug-in.
   */
  public Soak(ScenarioSettings settings, Progress progress) {
    super(progress);
    settings.requireJmx(NAME);
    this.settings = settings;
    soaked = settings.snitchAndC3().get(settings.snitchAndC3().size() - 1);
    control = soaked.equals(ServerMode.DYNAMIC_SNITCH);
  }

  /** What happens to the nodes in a round. */
  private enum Trouble {
    NONE("all well"),
    SLOW_DISK("a slow disk"),
    PAUSES("pauses"),
    MODES("modes switched");

    private final String words;

    Trouble(String words) {
      this.words = words;
    }
  }

  @Override
  protected void measure() throws IOException, InterruptedException {
    ClusterSpecBuilder nodes = ClusterSpec.builder().nodes(settings.nodes().orElse(NODES));
    if (control) {
      ServerModeArms.equipWithoutPlugIn(nodes);
    } else {
      ServerModeArms.equip(nodes);
    }
    try (Testbeds testbeds = new Testbeds("soak", settings, progress)) {
      Testbed testbed = testbeds.start(nodes);
      List<Arm> modes =
          control ? PolicyArms.of(testbed, List.of(Policy.STOCK_BASIC)) : modes(testbed);
      LoadSpec load =
          settings
              .load(settings.ratesOr(List.of(RATE_HZ)).get(0), SECONDS)
              .withMix(settings.mixesOr(Mix.B).get(0))
              .withKeys(settings.keysOr("zipfian"));
      WarmUp.run(testbeds, modes, load, List.of(load.mix()), WARM_UP_SECONDS, progress);
      rounds(testbed, modes, load);
    }
  }

  private List<Arm> modes(Testbed testbed) {
    List<ServerMode> all = new ArrayList<>(OTHER_MODES);
    all.add(soaked);
    return ServerModeArms.of(testbed, all);
  }

  private void rounds(Testbed testbed, List<Arm> modes, LoadSpec load)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    long end = begin + load.length().toNanos();
    for (int round = 0; System.nanoTime() < end; round++) {
      Trouble trouble = trouble(round);
      modes.get(modes.size() - 1).activate();
      LoadResult loaded =
          loaded(testbed, modes, round, trouble, load.withSeed(load.seed() + round));
      testbed.awaitRecovery();
      List<SoakResult.NodeAtRest> nodes = new ArrayList<>();
      for (LabNode node : testbed.cluster().nodes()) {
        nodes.add(atRest(testbed, node));
      }
      double second = (System.nanoTime() - begin) / 1e9;
      rounds.add(
          new SoakResult.Round(
              second,
              trouble.words,
              loaded.requests(),
              loaded.errors(),
              loaded.all().getValueAtPercentile(50) / 1e3,
              loaded.all().getValueAtPercentile(99) / 1e3,
              loaded.all().getValueAtPercentile(99.9) / 1e3,
              nodes));
      progress.report(
          "[%s of %s] %s: %d requests, %d failed; at rest %s"
              .formatted(
                  Progress.words(second),
                  Progress.words(load.length().toMillis() / 1e3),
                  trouble.words,
                  loaded.requests(),
                  loaded.errors().values().stream().mapToLong(Long::longValue).sum(),
                  SoakReport.words(nodes, control)));
    }
  }

  private Trouble trouble(int round) {
    Trouble trouble = Trouble.values()[round % Trouble.values().length];
    return control && trouble == Trouble.MODES ? Trouble.NONE : trouble;
  }

  private LoadResult loaded(
      Testbed testbed, List<Arm> modes, int round, Trouble trouble, LoadSpec load)
      throws IOException, InterruptedException {
    List<LabNode> nodes = testbed.cluster().nodes();
    LabNode node = nodes.get(round % nodes.size());
    Arm wanted = modes.get(modes.size() - 1);
    LoadSpec ofRound = load.withLength(Duration.ofSeconds(ROUND_SECONDS));
    LoadGenerator.Running running = LoadGenerator.start(wanted.clients(), ofRound);
    switch (trouble) {
      case SLOW_DISK -> during(running, SlowStorages.slow(List.of(node), SLOW_DISK));
      case PAUSES -> during(running, StopAndContinue.start(node, PAUSE, BETWEEN_PAUSES));
      case MODES -> {
        for (int second = 0; second < ROUND_SECONDS - 1; second++) {
          modes.get(second % modes.size()).activate();
          TimeUnit.SECONDS.sleep(1);
        }
        wanted.activate();
      }
      default -> {}
    }
    return running.await(ROUND_SECONDS + Testbed.REQUEST_TIMEOUT.toSeconds() + 60);
  }

  /** Until some seconds before the end of the round, so that it ends with all nodes well. */
  private static void during(LoadGenerator.Running running, Fault fault)
      throws IOException, InterruptedException {
    try (fault) {
      long until = running.countFromNanos() + TimeUnit.SECONDS.toNanos(ROUND_SECONDS - 4);
      TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
    }
  }

  private SoakResult.NodeAtRest atRest(Testbed testbed, LabNode node)
      throws IOException, InterruptedException {
    Node asked = testbed.session().getMetadata().findNode(node.address()).orElseThrow();
    boolean isQuiet =
        control
            || Polling.holds(
                Duration.ofSeconds(REST_SECONDS),
                Duration.ofMillis(200),
                () -> outstanding(testbed, asked) == 0);
    NodeManagement management = testbed.management(node);
    return new SoakResult.NodeAtRest(
        "node " + node.index(),
        management.liveHeapBytes(),
        management.threads(),
        isQuiet ? 0 : outstanding(testbed, asked),
        control ? 0 : pluginErrors(testbed, asked));
  }

  private static long outstanding(Testbed testbed, Node node) {
    long sum = 0;
    for (Row row :
        testbed
            .session()
            .execute(
                SimpleStatement.newInstance("SELECT outstanding FROM curtail.replica_scores")
                    .setNode(node))) {
      sum += row.getInt("outstanding");
    }
    return sum;
  }

  private static long pluginErrors(Testbed testbed, Node node) {
    return Long.parseLong(
        testbed
            .session()
            .execute(
                SimpleStatement.newInstance(
                        "SELECT value FROM curtail.server_load WHERE name = 'errors'")
                    .setNode(node))
            .one()
            .getString("value"));
  }

  /** What was seen so far. */
  @Override
  public SoakReport report() {
    return new SoakReport(new SoakResult(rounds), settings, isStopped());
  }
}
