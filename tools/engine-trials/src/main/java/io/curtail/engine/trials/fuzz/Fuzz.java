/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import io.curtail.campaign.Progress;
import io.curtail.engine.trials.Directories;
import io.curtail.engine.trials.TrialNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Runs random scripts on tables on the stock memtable and on RocksDB in one node, and looks for a
 * difference. Script number i of a run has the seed of the run plus i, and is the same alone.
 */
public final class Fuzz {
  private static final int SCRIPTS_A_NODE = 50;
  private static final int MOST_FAILURES = 3;

  /**
   * Where a run ended.
   *
   * @param scripts how many ran
   * @param statements how many statements they had, each run on both tables
   * @param excused how many answers differed in rows that show no cell, as a {@link NarrowQuery}
   *     may
   * @param failures what differed, each with its seed and the shortest script found
   */
  public record Result(int scripts, long statements, int excused, List<String> failures) {}

  private final TrialNode nodes;
  private final Path directory;
  private final int operations;
  private final long startSeconds;
  private final Progress progress;
  private final List<String> failures = new ArrayList<>();
  private int done;
  private long statements;
  private int excused;
  private volatile Result soFar;

  /**
   * @param directory for the nodes' files; what is in it is deleted
   * @param operations of each script
   * @param startSeconds what the nodes' clock says first, in seconds since 1970
   */
  public Fuzz(
      TrialNode nodes, Path directory, int operations, long startSeconds, Progress progress) {
    this.nodes = nodes;
    this.directory = directory;
    this.operations = operations;
    this.startSeconds = startSeconds;
    this.progress = progress;
  }

  /**
   * Runs scripts until there are enough, time is up, or a few failed. Once.
   *
   * @param seconds the most that it takes, apart from shrinking what fails; 0 for no limit
   */
  public Result run(long seed, int schemas, long seconds) throws IOException {
    long end = seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + seconds * 1_000_000_000L;
    while (done < schemas
        && failures.size() < MOST_FAILURES
        && (done == 0 || System.nanoTime() < end)) {
      List<Script> scripts = new ArrayList<>();
      for (int i = 0; i < Math.min(schemas - done, SCRIPTS_A_NODE); i++) {
        scripts.add(Script.random(seed + done + i, operations));
      }
      runTogether(scripts);
      done += scripts.size();
      for (Script script : scripts) {
        statements += script.steps().size();
      }
      noteSoFar();
      progress.report(
          String.format(
              "seeds %d to %d: %d schemas, %d statements, %d answers excused, %d failed",
              seed, seed + done - 1, done, statements, excused, failures.size()));
    }
    return soFar;
  }

  /**
   * What has run to its end, {@link #SCRIPTS_A_NODE} scripts at a time, and each failure as soon as
   * it is seen; null before the first. Any thread, while it runs.
   */
  public Result soFar() {
    return soFar;
  }

  private void noteSoFar() {
    soFar = new Result(done, statements, excused, List.copyOf(failures));
  }

  /** The script of a seed, as text. */
  public static String describe(long seed, int operations) {
    return text(Script.random(seed, operations));
  }

  private void runTogether(List<Script> scripts) throws IOException {
    List<Script> left = scripts;
    while (!left.isEmpty() && failures.size() < MOST_FAILURES) {
      ScriptBatch.Failure failure;
      try (ScriptBatch batch = batch()) {
        failure = batch.run(left);
        excused += batch.excused();
      }
      if (failure == null) {
        return;
      }
      failures.add(text(failure, failure, " (not made shorter)"));
      noteSoFar();
      progress.report(
          "seed %d failed at step %d; making its script shorter:\n%s"
              .formatted(failure.script().seed(), failure.step(), failure.difference()));
      String found = shrunk(failure);
      failures.set(failures.size() - 1, found);
      noteSoFar();
      progress.report(found);
      List<Script> others = new ArrayList<>(left);
      others.removeIf(script -> script.seed() == failure.script().seed());
      left = others;
    }
  }

  private String shrunk(ScriptBatch.Failure failure) throws IOException {
    ScriptBatch.Failure shortest;
    try (Retrying retrying = new Retrying()) {
      shortest = new Shrinker(retrying::run).shrink(failure);
    }
    return text(failure, shortest, shortest.equals(failure) ? " (not seen again alone)" : "");
  }

  private String text(ScriptBatch.Failure failure, ScriptBatch.Failure shortest, String remark) {
    return "seed %d, %d operations%s:\n%s\n%s"
        .formatted(
            failure.script().seed(),
            operations,
            remark,
            text(shortest.script()),
            shortest.difference());
  }

  private static String text(Script script) {
    StringJoiner text = new StringJoiner("\n");
    script.creation().forEach(text::add);
    script.steps().forEach(step -> text.add(step.toString()));
    return text.toString();
  }

  private ScriptBatch batch() throws IOException {
    Directories.delete(directory);
    return new ScriptBatch(nodes, directory, startSeconds);
  }

  /** Runs one script after another in one node, and in a new one when that has died. */
  private final class Retrying implements AutoCloseable {
    private ScriptBatch batch = batch();

    Retrying() throws IOException {}

    ScriptBatch.Failure run(Script script) throws IOException {
      try {
        return batch.run(List.of(script));
      } catch (IOException e) {
        batch.close();
        batch = batch();
        return batch.run(List.of(script));
      }
    }

    @Override
    public void close() {
      batch.close();
    }
  }
}
