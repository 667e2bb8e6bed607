/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.LabRun;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.Mix;
import io.curtail.lab.process.Commands;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The same table on a stock node and on one with the engine. The nodes take turns: while one is
 * measured the other stands still, and the order changes with every pair. Each node does its
 * compactions in its own time, and what it left for the disk is written before the other's turn.
 */
public final class EngineVsStock implements LabRun {
  private static final double PRELUDE_SECONDS = 0.5;
  private static final int WARM_UP_CLIENTS = 16;
  private static final int WARM_UP_SLICE_SECONDS = 5;

  private final EngineSettings settings;
  private final Progress progress;
  private final Map<Kind, Contender> contenders = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> diskBytes = new EnumMap<>(Kind.class);
  private final List<Measured> runs = new ArrayList<>();
  private String cassandraVersion = "";
  private boolean interrupted;

  public EngineVsStock(EngineSettings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs everything. When its thread is interrupted it stops the nodes and returns; what was
   * finished is in {@link #report()}.
   *
   * @throws IllegalStateException if a node does not start or a request fails
   */
  @Override
  public void run() throws IOException {
    try {
      for (Kind kind : Kind.values()) {
        contenders.put(kind, Contender.start(kind, settings, progress));
      }
      cassandraVersion = contenders.get(Kind.STOCK).cassandraVersion();
      load();
      warmUp();
      for (int pair = 1; pair <= settings.pairs(); pair++) {
        for (Mix mix : settings.mixes()) {
          for (int clients : settings.clients()) {
            measure(mix, clients, pair);
          }
        }
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      close();
    }
  }

  private void load() throws IOException, InterruptedException {
    progress.report("loading %,d %s on each node".formatted(settings.rows(), what()));
    for (Contender contender : contenders.values()) {
      long start = System.nanoTime();
      contender.load();
      double seconds = (System.nanoTime() - start) / 1e9;
      contender.flush();
      contender.settle();
      diskBytes.put(contender.kind(), contender.diskBytes());
      progress.report(
          "  %s: %,.0f rows a second, %,d MiB on disk"
              .formatted(
                  contender.kind().label(),
                  settings.rows() / seconds,
                  contender.diskBytes() >> 20));
    }
  }

  private String what() {
    return settings.table().description();
  }

  private void warmUp() throws IOException, InterruptedException {
    progress.report("warming up for " + settings.warmUpSeconds() + " s each");
    for (int done = 0; done < settings.warmUpSeconds(); done += WARM_UP_SLICE_SECONDS) {
      Mix mix = settings.mixes().get(done / WARM_UP_SLICE_SECONDS % settings.mixes().size());
      for (Contender contender : contenders.values()) {
        contender.run(mix, WARM_UP_CLIENTS, WARM_UP_SLICE_SECONDS, settings.seed());
      }
    }
    for (Contender contender : contenders.values()) {
      contender.settle();
    }
  }

  private void measure(Mix mix, int clients, int pair) throws IOException, InterruptedException {
    boolean stockFirst = (pair + settings.clients().indexOf(clients)) % 2 == 1;
    Kind[] order =
        stockFirst ? new Kind[] {Kind.STOCK, Kind.ROCKSDB} : new Kind[] {Kind.ROCKSDB, Kind.STOCK};
    List<Measured> both = new ArrayList<>();
    for (Kind kind : order) {
      Kind other = kind == Kind.STOCK ? Kind.ROCKSDB : Kind.STOCK;
      StopAndContinue pause = contenders.get(other).pause();
      try {
        // What the other left for the disk is not this one's, and a node that stood still has its
        // log synced before it acknowledges a write.
        Commands.run("sync");
        both.add(measure(contenders.get(kind), mix, clients, pair));
      } finally {
        pause.close();
      }
    }
    runs.addAll(both);
    both.sort((a, b) -> a.kind().compareTo(b.kind()));
    progress.report(
        "pair %d of %d, %s, %d clients: stock %,.0f/s, p99 %.2f ms; rocksdb %,.0f/s, p99 %.2f ms"
            .formatted(
                pair,
                settings.pairs(),
                mix.description(),
                clients,
                both.get(0).requestsPerSecond(),
                both.get(0).millis(99),
                both.get(1).requestsPerSecond(),
                both.get(1).millis(99)));
  }

  private Measured measure(Contender contender, Mix mix, int clients, int pair)
      throws IOException, InterruptedException {
    long seed = settings.seed() * 1_000_003 + pair * 1_009L + clients;
    contender.run(mix, clients, PRELUDE_SECONDS, seed + 1);
    Cost.Meter meter = contender.startMeter();
    ClosedLoop.Result result = contender.run(mix, clients, settings.seconds(), seed);
    Cost cost = meter.read();
    Cost.Meter after = contender.startMeter();
    if (mix.readShare() < 1) {
      contender.settle();
    }
    return new Measured(
        contender.kind(),
        mix,
        clients,
        pair,
        result,
        cost,
        after.read(),
        contender.node().residentBytes());
  }

  private void close() throws IOException {
    for (Contender contender : contenders.values()) {
      contender.close();
    }
  }

  /** What is finished so far. */
  @Override
  public EngineReport report() {
    return new EngineReport(settings, cassandraVersion, Map.copyOf(diskBytes), runs, interrupted);
  }

  /** Why data larger than memory cannot be tried on this system, in one line; null if it can. */
  public static String noMemoryLimit() {
    return MemoryLimit.unavailable();
  }
}
