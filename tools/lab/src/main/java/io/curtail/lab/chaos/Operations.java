/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Does one step after the other to the nodes. Used by one thread. */
final class Operations {
  private static final int ATTEMPTS = 4;
  private static final int AGAIN_MILLIS = 5_000;

  private final Nodes nodes;
  private final ChaosSession client;
  private final Load load;
  private final PurgedTable purged;
  private final RingChanges ring;
  private Blow blow;
  private Exception failure;

  Operations(Nodes nodes, ChaosSession client, Load load, PurgedTable purged) {
    this.nodes = nodes;
    this.client = client;
    this.load = load;
    this.purged = purged;
    ring = new RingChanges(nodes, load, this::patiently);
  }

  /**
   * Does a step; afterwards all members are up.
   *
   * @return what became of it: what a strike falls into may fail, at first or for good
   * @throws IllegalStateException if it cannot be done, or a node does not come back
   */
  String run(Step step) throws IOException, InterruptedException {
    blow = step.strike().isEmpty() ? null : Blow.start(nodes, step.strike().get());
    failure = null;
    try {
      perform(step);
      return failure == null ? "done" : "done again, failed: " + firstLine(failure);
    } catch (IOException | IllegalStateException | DriverException e) {
      if (blow == null || !mayFail(step.kind())) {
        throw new IllegalStateException(step + " could not be done: " + e.getMessage(), e);
      }
      return "failed: " + e.getMessage();
    } finally {
      recover();
      blow = null;
    }
  }

  /** Some tell the end of a log. */
  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  /** Whether the cluster is none the worse when it is not done. */
  private static boolean mayFail(Kind kind) {
    return switch (kind) {
      case MOVE, REPAIR, SNAPSHOT, MAINTAIN -> true;
      default -> false;
    };
  }

  private void recover() throws IOException, InterruptedException {
    if (blow != null) {
      blow.end();
    }
    nodes.restart();
  }

  private void perform(Step step) throws IOException, InterruptedException {
    int node = step.node();
    switch (step.kind()) {
      case KILL -> {
        nodes.node(node).kill();
        Thread.sleep(step.millis());
      }
      case PAUSE -> Blow.pause(nodes.node(node), step.millis());
      case MOVE -> {
        purged.tableMoves();
        attempt(step, () -> TableMoves.alter(client, step.what()));
      }
      case REPAIR -> attempt(step, () -> repair(node, step.what()));
      case SNAPSHOT -> attempt(step, () -> snapshot(node, "chaos" + step.number()));
      case MAINTAIN -> attempt(step, () -> maintain(node, step.what().split(" ")));
      case DECOMMISSION -> changeRing(() -> ring.decommission(node));
      case BOOTSTRAP -> changeRing(() -> ring.bootstrap(node));
      case REPLACE -> changeRing(() -> ring.replace(node, number(step.what())));
      case REMOVE -> changeRing(() -> ring.remove(node));
      case MOVE_TOKEN -> changeRing(() -> ring.move(node, number(step.what())));
      case REBUILD -> attempt(step, () -> rebuild(node));
      case FULL_DISK -> {
        if (step.what().startsWith("move")) {
          purged.tableMoves();
        }
        failure =
            new DiskWithoutRoom(nodes, client, load)
                .run(node, step.what(), step.millis())
                .orElse(null);
      }
      case TRUNCATE -> new EmptiedTable(nodes, client, load, this::patiently).truncate();
      case RESTORE ->
          new EmptiedTable(nodes, client, load, this::patiently).restore("chaos" + step.number());
      case INDEX -> {
        new Builds(nodes, client, load, this::patiently).index();
        if (blow == null) {
          load.withoutWrites(() -> patiently(new IndexCheck(nodes, client, load)::run));
        }
      }
      case VIEW -> new Builds(nodes, client, load, this::patiently).view();
    }
  }

  private void changeRing(Attempt change) throws IOException, InterruptedException {
    purged.withoutWrites(change, this::patiently);
  }

  private static int number(String what) {
    return Integer.parseInt(what.replaceAll("\\D", ""));
  }

  private void rebuild(int node) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.rebuild();
    }
  }

  /** Once if a strike may be what it fails for, else until it works. */
  private void attempt(Step step, Attempt attempt) throws IOException, InterruptedException {
    if (blow != null && mayFail(step.kind())) {
      attempt.run();
    } else {
      patiently(attempt);
    }
  }

  /** On a busy machine much fails that works the next time. */
  void patiently(Attempt attempt) throws IOException, InterruptedException {
    Attempt.repeat(
        ATTEMPTS,
        attempt,
        failed -> {
          if (blow != null && failure == null) {
            failure = failed;
          }
          recover();
          Thread.sleep(AGAIN_MILLIS);
          nodes.restartStrangers();
        });
  }

  private void repair(int node, String sort) throws IOException, InterruptedException {
    Map<String, String> options =
        switch (sort) {
          case "sequential" -> Map.of("incremental", "false", "parallelism", "sequential");
          case "subrange" -> {
            long start = nodes.previousToken(node);
            long end = nodes.tokenBefore(node, 4);
            // A range that goes round the ring would be two.
            yield Map.of(
                "incremental",
                "false",
                "ranges",
                start + ":" + (end > start ? end : Long.MAX_VALUE));
          }
          case "preview" -> Map.of("incremental", "false", "previewKind", "ALL");
          case "incremental" -> Map.of("incremental", "true");
          default -> Map.of("incremental", "false");
        };
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.repair(options);
    } catch (IllegalStateException e) {
      // Refused while a table has rows in RocksDB on any replica; but it must end.
      if (!sort.equals("incremental") || !e.getMessage().startsWith(Jmx.REPAIR_FAILED)) {
        throw e;
      }
    }
  }

  private void snapshot(int node, String name) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.snapshot(name);
      List<?> directories = SnapshotDirectories.directories(nodes.node(node).dataDirectory(), name);
      jmx.clearSnapshot(name);
      if (directories.size() < Plan.TABLES.size()) {
        throw new IllegalStateException("a snapshot has only the directories " + directories);
      }
    }
  }

  private void maintain(int node, String[] what) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      if (Plan.hasEngine(node) && jmx.isInRocks(what[1])) {
        jmx.engine(what[0], what[1]);
      } else if (what[0].equals("flush")) {
        jmx.flush(what[1]);
      } else {
        jmx.compact(what[1]);
      }
    }
  }
}
