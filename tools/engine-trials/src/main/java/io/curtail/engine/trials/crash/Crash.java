/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import io.curtail.campaign.Progress;
import io.curtail.campaign.process.Polling;
import io.curtail.engine.trials.TrialNode;
import io.curtail.engine.trials.disk.PowerDisk;
import io.curtail.testnode.NodeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Kills a node under load with SIGKILL, starts it again and compares it with what was answered,
 * over and over: nothing answered may be missing, nothing may be there by half. With moves, tables
 * go to Cassandra's own memtable and back all the time, so that kills fall into that too.
 *
 * <p>A kill leaves the operating system running. With a {@link PowerDisk} each also takes what the
 * disk does not have yet, as a loss of power would, and of the node there is only that disk.
 */
public final class Crash {
  private static final int THREADS = 4;
  private static final int LEAST_MILLIS = 50;
  private static final int MOST_MILLIS = 1_500;

  /**
   * A kill waits for up to so many answers and moves, since a slow machine has few in the time
   * above.
   */
  private static final int MOST_AWAITED = 300;

  private static final int MOST_AWAITED_MOVES = 12;

  private static final Duration MOST_WAITING = Duration.ofMinutes(1);
  private static final Duration MOST_BUILDING = Duration.ofMinutes(3);

  private static final Duration POLL = Duration.ofMillis(5);
  private static final String[] THROUGHPUT = {"2MiB/s", "16MiB/s", "64MiB/s"};

  /**
   * Where a trial ended.
   *
   * @param kills how many there were
   * @param copying kills while a table was copied to Cassandra's data files, to move there
   * @param answered operations that were answered before a kill
   * @param endedByCassandra why it ended early; empty if it did not. A loss of power can leave the
   *     end of Cassandra's commit log, or of a log of its data files, such that it does not start
   * @param failures what was wrong
   */
  public record Result(
      int kills, int copying, long answered, String endedByCassandra, List<String> failures) {}

  private static final String TORN_TRANSACTION = "due to a problem with transaction log files";
  private static final String TORN_COMMIT_LOG =
      "Exiting due to error while processing commit log during initialization";

  private final TrialNode nodes;
  private final Path directory;
  private final Path notes;
  private final Random random;
  private final boolean moves;
  private final PowerDisk power;
  private final Progress progress;
  private final Map<Integer, Integer> answeredByPartition = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private int copying;
  private volatile Result soFar;

  /**
   * Kills alone.
   *
   * @param directory of the node, empty or absent
   * @param seed of the times of the kills
   * @param moves whether tables are altered to another memtable and back
   */
  public Crash(TrialNode nodes, Path directory, long seed, boolean moves, Progress progress) {
    this(nodes, directory, directory.resolve("notes"), seed, moves, null, progress);
  }

  private Crash(
      TrialNode nodes,
      Path directory,
      Path notes,
      long seed,
      boolean moves,
      PowerDisk power,
      Progress progress) {
    this.nodes = nodes;
    this.directory = directory;
    this.notes = notes;
    random = new Random(seed);
    this.moves = moves;
    this.power = power;
    this.progress = progress;
  }

  /**
   * Losses of power, with a log that is synced before a write is answered.
   *
   * @param power the disk of the node
   * @param notes a directory elsewhere, empty or absent
   */
  public static Crash withPower(
      TrialNode nodes, PowerDisk power, Path notes, long seed, boolean moves, Progress progress) {
    return new Crash(nodes, power.directory().resolve("node"), notes, seed, moves, power, progress);
  }

  /**
   * Runs kills.
   *
   * @param seconds the most that it takes; 0 for no limit
   * @throws IllegalStateException if the node refuses to start again
   */
  public Result run(int kills, long seconds) throws IOException {
    long end = seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + seconds * 1_000_000_000L;
    Files.createDirectories(notes);
    soFar = null;
    int done = 0;
    try {
      while (done < kills && failures.isEmpty() && (done == 0 || System.nanoTime() < end)) {
        life(done * THREADS);
        done++;
        progress.report(
            done
                + (power == null ? " kills, " : " losses of power, ")
                + answered()
                + " operations answered, "
                + failures.size()
                + " failed");
      }
      try (NodeProcess node = start()) {
        check(node, 0);
      }
      soFar = result(done, "");
      return soFar;
    } catch (IllegalStateException e) {
      String refusal = refusalOfCassandra(e);
      if (refusal.isEmpty()) {
        throw e;
      }
      progress.report("Cassandra does not start any more: " + refusal);
      return result(done, refusal);
    }
  }

  /**
   * The kills after which all was compared with what was answered, and what was wrong; null before
   * the first. Any thread, while it runs.
   */
  public Result soFar() {
    return soFar;
  }

  private Result result(int kills, String endedByCassandra) {
    return new Result(kills, copying, answered(), endedByCassandra, List.copyOf(failures));
  }

  /** Why Cassandra itself does not start after a loss of power; empty if that is not why. */
  private String refusalOfCassandra(IllegalStateException failure) throws IOException {
    if (power == null) {
      return "";
    }
    if (String.valueOf(failure.getMessage()).contains(TORN_TRANSACTION)) {
      return TORN_TRANSACTION;
    }
    String log =
        Files.readString(directory.resolve("logs/system.log"), StandardCharsets.ISO_8859_1);
    // Of the last start: those before went on.
    return log.contains(TORN_COMMIT_LOG) ? TORN_COMMIT_LOG : "";
  }

  private NodeProcess start() throws IOException {
    if (!moves && power == null && !nodes.isStock()) {
      return nodes.start(directory);
    }
    // In every other life, all that moves out is copied first, and that may take a while.
    TrialNode life = moves && random.nextBoolean() ? nodes.with("move_at_once", "0B") : nodes;
    // Not on the disk that loses its power.
    Path keeps = power == null ? directory : notes;
    return NodeProcess.start(
        life.archived(directory, keeps)
            .yaml("compaction_throughput", THROUGHPUT[random.nextInt(THROUGHPUT.length)])
            // A kill takes what Cassandra's own log has not synced, and some writes are in it.
            .yaml("commitlog_sync", "batch")
            .yaml("commitlog_sync_period", "0ms"));
  }

  /** Starts the node, checks the partitions of the life before, writes and kills. */
  private void life(int firstPartition) throws IOException {
    try (NodeProcess node = start()) {
      for (String statement : CrashTables.creation(1)) {
        node.cql(statement);
      }
      if (moves && firstPartition == 0) {
        node.cql(CrashLarge.creation());
        node.call(CrashLarge.class, "fill");
      }
      check(node, firstPartition - THREADS);
      if (firstPartition > 0) {
        soFar = result(firstPartition / THREADS, "");
      }
      write(node, firstPartition);
      if (moves && node.call(CrashMoves.class, "isCopying").contains("true")) {
        copying++;
      }
      end(node);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    count(firstPartition);
  }

  private void end(NodeProcess node) throws IOException {
    if (power == null) {
      node.kill();
      return;
    }
    List<Path> failed = failed();
    power.cut();
    node.kill();
    for (Path since : failed()) {
      if (!failed.contains(since)) {
        Files.delete(since); // refused, as nothing could be synced any more
      }
    }
    power.restore();
  }

  /** What says of which operations failed. */
  private List<Path> failed() throws IOException {
    try (Stream<Path> files = Files.list(notes)) {
      return files.filter(file -> file.getFileName().toString().startsWith("failed-")).toList();
    }
  }

  private void write(NodeProcess node, int firstPartition)
      throws IOException, InterruptedException {
    node.call(
        CrashWriters.class,
        "start",
        notes.toString(),
        String.valueOf(firstPartition),
        String.valueOf(THREADS));
    if (moves) {
      String life = String.valueOf(firstPartition / THREADS);
      node.call(CrashLarge.class, "start", largeOf(firstPartition).toString(), life);
      String seed = String.valueOf(random.nextInt());
      node.call(CrashMoves.class, "start", movesOf(firstPartition).toString(), seed);
    }
    Thread.sleep(LEAST_MILLIS + random.nextInt(MOST_MILLIS));
    int awaited = random.nextInt(MOST_AWAITED);
    int awaitedMoves = moves ? random.nextInt(MOST_AWAITED_MOVES) : 0;
    boolean unused =
        Polling.<IOException>holds(
            MOST_WAITING,
            POLL,
            () ->
                count(firstPartition) >= awaited && lines(movesOf(firstPartition)) >= awaitedMoves);
  }

  /** Counts what was answered in the partitions of a life. */
  private int count(int firstPartition) throws IOException {
    int sum = 0;
    for (int partition = firstPartition; partition < firstPartition + THREADS; partition++) {
      int answered = answeredIn(partition);
      answeredByPartition.put(partition, answered);
      sum += answered;
    }
    return sum;
  }

  /** Cassandra builds an index anew at a start if it was killed while it added files to it. */
  private static void awaitIndex(NodeProcess node) throws IOException {
    Polling.<IOException>await(
        "an index is built",
        MOST_BUILDING,
        POLL,
        () ->
            node.cql("SELECT index_name FROM system.\"IndexInfo\"").stream()
                .anyMatch(row -> row.contains("by_v")),
        () -> "the index by_v is not built, long after the start");
  }

  private void check(NodeProcess node, int fromPartition) throws IOException {
    awaitIndex(node);
    for (Map.Entry<Integer, Integer> partition : answeredByPartition.entrySet()) {
      Path failure = notes.resolve("failed-" + partition.getKey());
      if (Files.exists(failure)) {
        failures.add("partition " + partition.getKey() + ": " + Files.readString(failure));
      }
      if (partition.getKey() >= fromPartition) {
        String wrong =
            new CrashCheck(
                    node::cql,
                    partition.getKey(),
                    new CrashCheck.Known(partition.getValue(), 0, 0, moves || nodes.isStock()))
                .run();
        failed(wrong);
      }
    }
    if (moves) {
      failed(CrashLarge.wrong(node::cql, largeOfAll()));
    }
  }

  private void failed(String wrong) {
    if (wrong != null) {
      progress.report(wrong);
      failures.add(wrong);
    }
  }

  /** In the order of the lives. */
  private List<Path> largeOfAll() {
    return answeredByPartition.keySet().stream()
        .filter(partition -> partition % THREADS == 0)
        .map(this::largeOf)
        .toList();
  }

  private Path largeOf(int firstPartition) {
    return notes.resolve("large-" + firstPartition);
  }

  private Path movesOf(int firstPartition) {
    return notes.resolve("moves-" + firstPartition);
  }

  private int answeredIn(int partition) throws IOException {
    return lines(notes.resolve("answered-" + partition));
  }

  private static int lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  private long answered() {
    return answeredByPartition.values().stream().mapToLong(Integer::longValue).sum();
  }
}
