/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.campaign.ClosedTogether;
import io.curtail.campaign.Progress;
import io.curtail.campaign.process.Commands;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.Home;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.Dataset;
import io.curtail.lab.load.LabTable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The clusters of some arms. If there are several they take turns: while one is measured the nodes
 * of the others stand still. Used by one thread.
 */
public final class Testbeds implements AutoCloseable {
  private static final Duration TURN = Duration.ofDays(1);

  private final String name;
  private final ScenarioSettings settings;
  private final Progress progress;
  private final List<Testbed> testbeds = new ArrayList<>();
  private final List<StopAndContinue> asleep = new ArrayList<>();
  private Testbed awake;

  /** The name is the beginning of the clusters' names. */
  public Testbeds(String name, ScenarioSettings settings, Progress progress) {
    this.name = name + "-" + ProcessHandle.current().pid();
    this.settings = settings;
    this.progress = progress;
  }

  /** Where the next cluster has its files. */
  public Path nextDirectory() {
    return Home.find().lab(nextName());
  }

  private String nextName() {
    return testbeds.isEmpty() ? name : name + "-" + (testbeds.size() + 1);
  }

  /** A cluster with the lab's own table; the spec says what is special about its nodes. */
  public Testbed start(ClusterSpecBuilder spec) throws IOException, InterruptedException {
    return start(
        spec, new Dataset(LabTable.ROWS, Optional.empty(), settings.rowsOr(ScenarioSettings.ROWS)));
  }

  /** A cluster with a table. It is closed with this. */
  public Testbed start(ClusterSpecBuilder spec, Dataset dataset)
      throws IOException, InterruptedException {
    ClusterSpec cluster =
        spec.name(nextName())
            .directory(nextDirectory())
            .jit(settings.jit())
            .networking(settings.networking())
            .raisedPriority(mayRaisePriority())
            .build();
    Testbed testbed = Testbed.start(cluster, dataset, settings, progress);
    testbeds.add(testbed);
    return testbed;
  }

  /** Unless {@code -Dcurtail.priority=usual} says that other work is not to wait for the nodes. */
  private static boolean mayRaisePriority() throws IOException {
    return Commands.isRoot() && !"usual".equals(System.getProperty("curtail.priority"));
  }

  /** Gives the machine to this cluster alone; returns when its clients are connected. */
  public void wake(Testbed testbed) throws IOException, InterruptedException {
    if (testbeds.size() == 1 || testbed.equals(awake)) {
      return;
    }
    wakeAll();
    for (Testbed other : testbeds) {
      if (!other.equals(testbed)) {
        for (LabNode node : other.cluster().nodes()) {
          asleep.add(StopAndContinue.start(node, TURN, Duration.ofMillis(1)));
        }
      }
    }
    // What the others left for the disk is not this one's, and a node that stood still has its log
    // synced before it acknowledges a write.
    Commands.run("sync");
    testbed.awaitRecovery();
    awake = testbed;
  }

  private void wakeAll() throws IOException {
    List<StopAndContinue> all = List.copyOf(asleep);
    asleep.clear();
    awake = null;
    ClosedTogether.all(all, StopAndContinue::close);
  }

  @Override
  public void close() throws IOException {
    Closeable clusters = () -> ClosedTogether.all(testbeds, Testbed::close);
    try (clusters) {
      wakeAll();
    }
  }
}
