/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.campaign.Progress;
import io.curtail.campaign.Turns;
import io.curtail.campaign.process.Polling;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.experiment.EngineSettings;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.load.Dataset;
import io.curtail.lab.load.LabTable;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Four nodes with three copies of each row, of which one leaves and comes back as a new one, while
 * a client reads; once with the table in Cassandra's own storage and once in RocksDB.
 *
 * @param rateHz reads a second meanwhile
 * @param absorb whether RocksDB absorbs what is received after a stream, not in it
 * @param directory that is not there yet
 */
public record Streaming(
    EngineSettings engine,
    int rows,
    double rateHz,
    boolean absorb,
    Path directory,
    Progress progress) {
  /** A node that leaves and one that joins, on each storage. */
  public static final int MOVES_A_TURN = 2 * Storage.values().length;

  private static final int NODES = 4;
  private static final int COPIES = 3;
  private static final int QUIET_ROUNDS = 15;
  private static final int ROUND_SECONDS = 1;

  /** Longer than the driver waits for one. */
  private static final int MOST_ANSWER_SECONDS = 120;

  private static final Duration LOOK = Duration.ofMillis(100);

  /** Temporary files go within a minute after their last reader. */
  private static final Duration MOST_REST = Duration.ofMinutes(10);

  private static final String STREAMS = "org.apache.cassandra.net:type=StreamManager";

  /**
   * Runs both storages, one after the other.
   *
   * @param turn odd ones begin with RocksDB
   * @param moves told of each move when it is over
   */
  public void run(int turn, Consumer<StreamedMove> moves) throws IOException, InterruptedException {
    for (Storage storage : Turns.order(List.of(Storage.values()), turn)) {
      run(turn, storage, moves);
    }
  }

  private void run(int turn, Storage storage, Consumer<StreamedMove> moves)
      throws IOException, InterruptedException {
    progress.report(storage.label() + ": starting " + NODES + " nodes");
    ClusterSpecBuilder spec =
        ClusterSpec.builder()
            .name("stream")
            .directory(directory.resolve(turn + "-" + storage.label()))
            .nodes(NODES)
            .zones(1)
            .heapMebibytes(engine.heapMebibytes())
            .addYaml(storage.yaml(engine, absorb).entrySet())
            .addYaml("stream_throughput_outbound", "1000MiB/s")
            .addYaml("entire_sstable_stream_throughput_outbound", "1000MiB/s")
            .addJvmOptions("-Dcassandra.ring_delay_ms=10000")
            .addJvmOptions("-Dcassandra.gossip_quarantine_delay_ms=4000");
    spec.addJvmOptions(NodeOptions.jvm(engine));
    spec.addClassPath(storage.classPath(engine));
    Dataset dataset = new Dataset(engine.table(), Optional.of(storage.memtable()), rows);
    ScenarioSettings settings = ScenarioSettings.builder().rows(rows).engine(engine).build();
    try (Testbed testbed = Testbed.start(spec.build(), dataset, settings, progress)) {
      FourNodes nodes = new FourNodes(storage, testbed, settings);
      moves.accept(nodes.measured("leave", nodes::leave));
      moves.accept(nodes.measured("join", nodes::join));
    }
  }

  /** The four of one storage. */
  private final class FourNodes {
    final Storage storage;
    final Testbed testbed;
    final LoadSpec reads;
    final LabNode moving;
    volatile boolean streaming;

    FourNodes(Storage storage, Testbed testbed, ScenarioSettings settings) {
      this.storage = storage;
      this.testbed = testbed;
      moving = testbed.cluster().node(NODES);
      reads =
          settings
              .load(rateHz, ROUND_SECONDS)
              .with()
              .warmUp(Duration.ZERO)
              .keys(settings.keysOr("uniform", rows))
              .consistency(DefaultConsistencyLevel.ONE)
              .build();
    }

    void leave() throws IOException {
      try (NodeManagement management = new NodeManagement(moving)) {
        management.invoke(NodeManagement.STORAGE_SERVICE, "decommission", true);
      }
      moving.stop();
    }

    void join() throws IOException {
      moving.join(testbed.cluster().node(1), LabNode.token(NODES, NODES), Optional.empty());
    }

    StreamedMove measured(String what, Change change) throws IOException, InterruptedException {
      rest(() -> {});
      Rounds quiet = new Rounds();
      for (int round = 0; round < QUIET_ROUNDS; round++) {
        quiet.add(LoadGenerator.run(testbed.clients(Policy.STOCK_DEFAULT), load(round)));
      }
      progress.report(storage.label() + ": node " + NODES + " is to " + what);
      testbed.disconnect(); // from a node that is about to stop, too
      testbed.clients(Policy.STOCK_DEFAULT);
      DiskPeak disk = new DiskPeak(testbed.cluster().nodes());
      long start = System.nanoTime();
      CompletableFuture<Void> changed = CompletableFuture.runAsync(change::run);
      Rounds meanwhile = new Rounds();
      CompletableFuture<Void> reading =
          CompletableFuture.runAsync(() -> readUntil(changed, meanwhile));
      double streaming = watch(changed, disk);
      double seconds = (System.nanoTime() - start) / 1e9;
      await(changed);
      await(reading);
      long restSince = System.nanoTime();
      rest(disk::look);
      double restSeconds = (System.nanoTime() - restSince) / 1e9;
      disk.look();
      long moved = (long) rows * COPIES / NODES * engine.table().rowBytes();
      return new StreamedMove(
          storage.label(),
          what,
          moved,
          seconds,
          streaming,
          restSeconds,
          moved / streaming / (1 << 20),
          disk.extraBytes(moving),
          others().mapToLong(disk::extraBytes).max().orElseThrow(),
          quiet.summary(),
          meanwhile.summary());
    }

    /**
     * Until all is in data files, compacted, what was received is absorbed, and what streams wrote
     * for themselves is gone.
     */
    private void rest(Change meanwhile) throws IOException, InterruptedException {
      StorageArm arm = new StorageArm(storage, engine.table(), testbed);
      arm.flush();
      Polling.until(
          MOST_REST,
          LOOK,
          () -> {
            if (storage != Storage.ROCKSDB || !hasFilesOfCassandra()) {
              return true;
            }
            meanwhile.act();
            return false;
          },
          () ->
              "data files of Cassandra are left beside RocksDB: " + testbed.cluster().directory());
      arm.settle();
    }

    private boolean hasFilesOfCassandra() throws IOException {
      for (LabNode node : testbed.cluster().nodes()) {
        Path table = node.dataDirectory().resolve(LabTable.KEYSPACE);
        try (Stream<Path> files = Files.exists(table) ? Files.walk(table) : Stream.empty()) {
          if (node.isAlive() && files.anyMatch(file -> file.toString().endsWith("-Data.db"))) {
            return true;
          }
        }
      }
      return false;
    }

    private Stream<LabNode> others() {
      return testbed.cluster().nodes().stream().filter(node -> node != moving);
    }

    /** Returns for how many seconds a session was open. */
    private double watch(CompletableFuture<Void> changed, DiskPeak disk)
        throws IOException, InterruptedException {
      long streamingNanos = 0;
      long at = System.nanoTime();
      while (!changed.isDone()) {
        Thread.sleep(LOOK.toMillis());
        disk.look();
        streaming = isStreaming();
        long now = System.nanoTime();
        streamingNanos += streaming ? now - at : 0;
        at = now;
      }
      streaming = false;
      return streamingNanos / 1e9;
    }

    private boolean isStreaming() throws IOException {
      for (LabNode node : others().toList()) {
        NodeManagement management = testbed.management(node);
        if (!((Collection<?>) management.attribute(STREAMS, "CurrentStreams")).isEmpty()) {
          return true;
        }
      }
      return false;
    }

    /**
     * Keeps the rounds that a stream was open in. Each begins on its second, whether or not the
     * reads of those before have been answered: who waits does not ask less.
     */
    private void readUntil(CompletableFuture<Void> end, Rounds rounds) {
      List<LoadGenerator.Running> kept = new ArrayList<>();
      long begin = System.nanoTime();
      try {
        for (int round = 0; !end.isDone(); round++) {
          boolean before = streaming;
          LoadGenerator.Running running =
              LoadGenerator.start(testbed.clients(Policy.STOCK_DEFAULT), load(round), begin);
          begin += TimeUnit.SECONDS.toNanos(ROUND_SECONDS);
          TimeUnit.NANOSECONDS.sleep(begin - System.nanoTime());
          if (before || streaming) {
            kept.add(running);
          }
        }
        for (LoadGenerator.Running running : kept) {
          rounds.add(running.await(MOST_ANSWER_SECONDS));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private LoadSpec load(int round) {
      return reads.with().seed(round).build();
    }
  }

  /** What clients saw in some rounds. */
  private static final class Rounds {
    private final Histogram micros = new Histogram(3);
    private long failed;

    void add(LoadResult result) {
      micros.add(result.all());
      failed += result.errors().values().stream().mapToLong(Long::longValue).sum();
    }

    StreamedMove.Reads summary() {
      return new StreamedMove.Reads(
          micros.getTotalCount(),
          failed,
          micros.getValueAtPercentile(50) / 1e3,
          micros.getValueAtPercentile(99) / 1e3);
    }
  }

  /** What a node does. */
  private interface Change {
    void act() throws IOException;

    default void run() {
      try {
        act();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void await(CompletableFuture<Void> work) throws InterruptedException {
    try {
      work.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }
}
