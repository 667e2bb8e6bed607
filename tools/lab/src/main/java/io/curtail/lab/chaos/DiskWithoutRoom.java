/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.campaign.process.Polling;
import io.curtail.engine.trials.disk.SmallDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The disk of a node's RocksDB, full for some time, and what is begun meanwhile: that may fail, or
 * wait for room, and must be done when there is room again. Used by one thread.
 */
record DiskWithoutRoom(Nodes nodes, ChaosSession client, Load load) {
  private static final int ATTEMPTS = 2;
  private static final int AGAIN_MILLIS = 10_000;

  /** A node tries a move that failed again after ten seconds, and then after twenty. */
  private static final Duration MOST_MOVING = Duration.ofMinutes(2);

  private static final Duration POLL = Duration.ofMillis(200);

  /** At the end of what is begun: the node is killed before there is room again. */
  static final String KILLED = "killed";

  /**
   * Returns when there is room, and what was begun is done.
   *
   * @param meanwhile {@code move TABLE to MEMTABLE}, {@code repair}, {@code index}, or nothing; the
   *     first and the last with {@link #KILLED}, or without
   * @return why it could not be done without room; empty if it could, or waited
   */
  Optional<Exception> run(int node, String meanwhile, long millis)
      throws IOException, InterruptedException {
    boolean kills = meanwhile.endsWith(KILLED);
    return switch (meanwhile.replaceFirst(" .*", "")) {
      case "move" -> {
        Optional<Exception> failure =
            fill(node, millis, kills, () -> TableMoves.alter(client, tableMove(meanwhile)));
        if (kills) {
          nodes.restartStrangers(); // as elsewhere after a kill
        }
        withRoom(() -> TableMoves.alter(client, tableMove(meanwhile)));
        awaitMoved(node, tableMove(meanwhile));
        yield failure;
      }
      case "repair" -> fill(node, millis, () -> nodes.repair(node));
      case "index" -> fill(node, millis, new Builds(nodes, client, load, Attempt::run)::index);
      default -> fill(node, millis, kills, () -> {});
    };
  }

  private static String tableMove(String meanwhile) {
    return meanwhile.substring("move ".length()).replace(", " + KILLED, "");
  }

  /** Why it failed that was begun meanwhile; then it was done again with room. */
  private Optional<Exception> fill(int node, long millis, Attempt begun)
      throws IOException, InterruptedException {
    Optional<Exception> failure = fill(node, millis, false, begun);
    if (failure.isPresent()) {
      withRoom(begun);
    }
    return failure;
  }

  /** Why it failed that was begun meanwhile. */
  private Optional<Exception> fill(int node, long millis, boolean kills, Attempt begun)
      throws IOException, InterruptedException {
    SmallDisk disk = nodes.disk(node);
    Meanwhile meanwhile = new Meanwhile(begun);
    try {
      disk.fill();
      meanwhile.start();
      Thread.sleep(millis);
      if (kills) {
        nodes.node(node).kill();
      }
    } finally {
      disk.makeRoom();
    }
    if (kills) {
      nodes.restart(node);
    }
    meanwhile.join();
    if (!nodes.node(node).isAlive()) {
      throw new IllegalStateException("node " + node + " died of a full disk");
    }
    if (meanwhile.failure instanceof ChaosSession.NoAgreement && !kills) {
      // It was waited for with room for minutes; elsewhere a start of the node helps, as ever.
      throw (ChaosSession.NoAgreement) meanwhile.failure;
    }
    return Optional.ofNullable(meanwhile.failure);
  }

  /** Not as elsewhere with a start of nodes in between: that there was no room needs none. */
  private static void withRoom(Attempt attempt) throws IOException, InterruptedException {
    Attempt.repeat(ATTEMPTS, attempt, failure -> Thread.sleep(AGAIN_MILLIS));
  }

  private static final class Meanwhile extends Thread {
    private final Attempt begun;
    private volatile Exception failure;

    Meanwhile(Attempt begun) {
      super("while-the-disk-is-full");
      setDaemon(true);
      this.begun = begun;
    }

    @Override
    public void run() {
      try {
        begun.run();
      } catch (IOException | IllegalStateException | DriverException e) {
        failure = e;
      } catch (InterruptedException e) {
        interrupt();
      }
    }
  }

  private void awaitMoved(int node, String tableMove) throws IOException, InterruptedException {
    String table = TableMoves.table(tableMove);
    boolean isWanted = TableMoves.memtable(tableMove).equals("rocksdb");
    try (Jmx jmx = nodes.jmx(node)) {
      Polling.until(
          MOST_MOVING,
          POLL,
          () -> jmx.isInRocks(table) == isWanted,
          () -> "node " + node + " has room again, and " + table + " does not move");
    }
  }
}
