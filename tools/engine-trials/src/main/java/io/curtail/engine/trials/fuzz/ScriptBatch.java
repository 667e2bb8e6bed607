/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import io.curtail.engine.trials.NodeCommands;
import io.curtail.engine.trials.NodeTime;
import io.curtail.engine.trials.TrialNode;
import io.curtail.testnode.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Scripts that run in one node, one after another up to their restarts, which they share.
 *
 * <p>Each script sees its own steps and then a long time pass at the restart, so what it does is
 * the same alone as among others.
 */
final class ScriptBatch implements AutoCloseable {
  /** Longer than any grace and any short time to live: 115 days. */
  private static final long RESTART_SECONDS = 10_000_000;

  private static final String KEYSPACE =
      "CREATE KEYSPACE IF NOT EXISTS fuzz WITH replication = {'class': 'SimpleStrategy',"
          + " 'replication_factor': 1}";
  private static final String MAKE_DURABLE =
      "CALL " + NodeCommands.class.getName() + " makeDurable";

  /**
   * A script whose tables differed.
   *
   * @param step the number of the step that showed it
   */
  record Failure(Script script, int step, String difference) {}

  private final TrialNode nodes;
  private final Path directory;
  private final NodeTime time;
  private NodeProcess node;
  private int named;
  private int excused;

  ScriptBatch(TrialNode nodes, Path directory, long startSeconds) throws IOException {
    this.nodes = nodes;
    this.directory = directory;
    time = new NodeTime(startSeconds);
    start();
  }

  private void start() throws IOException {
    node = nodes.start(directory, time);
    node.cql(KEYSPACE);
  }

  /** Runs scripts to the end, or to the first failure, which is returned; else null. */
  Failure run(List<Script> scripts) throws IOException {
    List<Running> running = new ArrayList<>();
    for (Script script : scripts) {
      running.add(new Running(script, new TablePair(time, "t" + named++)));
    }
    boolean restarts = true;
    while (restarts) {
      restarts = false;
      for (Running one : running) {
        Failure failure = one.runToRestart();
        if (failure != null) {
          return failure;
        }
        restarts |= one.isAtRestart();
      }
      if (restarts) {
        node.cql(MAKE_DURABLE);
        node.kill();
        time.passWhileDown(RESTART_SECONDS);
        start();
      }
    }
    for (Running one : running) {
      excused += one.pair.excused();
      one.pair.drop(node);
    }
    return null;
  }

  /** Of all scripts that ended well. */
  int excused() {
    return excused;
  }

  @Override
  public void close() {
    node.kill();
  }

  /** A script and how far it is. */
  private final class Running {
    private final Script script;
    private final TablePair pair;
    private int next;
    private boolean isCreated;

    Running(Script script, TablePair pair) {
      this.script = script;
      this.pair = pair;
    }

    boolean isAtRestart() {
      return next < script.steps().size();
    }

    Failure runToRestart() throws IOException {
      try {
        if (!isCreated) {
          String difference = pair.create(node, script.creation());
          if (difference != null) {
            return new Failure(script, 0, difference);
          }
          isCreated = true;
        } else if (next < script.steps().size()) {
          next++;
          pair.restarted(node);
        }
        for (; next < script.steps().size(); next++) {
          ScriptStep step = script.steps().get(next);
          if (step.kind() == ScriptStep.Kind.RESTART) {
            return null;
          }
          String difference = pair.run(node, step);
          if (difference != null) {
            return new Failure(script, next, difference);
          }
        }
        return null;
      } catch (IOException e) {
        return new Failure(script, next, "the node died: " + e.getMessage());
      }
    }
  }
}
