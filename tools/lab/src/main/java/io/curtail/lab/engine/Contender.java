/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.Labs;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.Keys;
import io.curtail.lab.load.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A node of one kind with the table on it, and the client that loads it. */
final class Contender implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int WRITES_IN_FLIGHT = 96;
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int SETTLE_MILLIS = 500;
  private static final double IDLE_PROCESSORS = 0.08;

  private final Kind kind;
  private final EngineSettings settings;
  private final Cluster cluster;
  private final GcLog log;
  private MemoryLimit limit;
  private NodeManagement management;
  private CqlSession session;
  private final Keys keys;
  private EngineTable.Statements statements;

  private Contender(Kind kind, EngineSettings settings, Cluster cluster, GcLog log) {
    this.kind = kind;
    this.settings = settings;
    keys = Keys.named(settings.keys(), settings.rows());
    this.cluster = cluster;
    this.log = log;
  }

  /** Starts the node and creates the table. */
  static Contender start(Kind kind, EngineSettings settings, Progress progress) throws IOException {
    String name = "engine-" + kind.label() + "-" + ProcessHandle.current().pid();
    Path directory = Labs.directory(name);
    GcLog log = new GcLog(directory.resolve("node1/logs/gc.log"));
    ClusterSpec.Builder spec =
        ClusterSpec.builder()
            .name(name)
            .directory(directory)
            .nodes(1)
            .jit(Jit.C2)
            .heapMebibytes(settings.heapMebibytes())
            .addYaml(kind.yaml(settings))
            .addJvmOption(log.option());
    NodeOptions.jvm(settings).forEach(spec::addJvmOption);
    kind.classPath(settings).forEach(spec::addClassPath);
    Contender contender = new Contender(kind, settings, Cluster.start(spec.build(), progress), log);
    try {
      contender.prepare();
      return contender;
    } catch (IOException | RuntimeException e) {
      contender.close();
      throw e;
    }
  }

  private void prepare() throws IOException {
    if (settings.memoryMebibytes() > 0) {
      limit = MemoryLimit.start(node().pid(), (long) settings.memoryMebibytes() << 20);
    }
    management = new NodeManagement(node());
    session =
        CqlSession.builder()
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                    .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
                    .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                    .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, TIMEOUT)
                    .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                    .build())
            .addContactPoints(cluster.contactPoints())
            .withLocalDatacenter(cluster.localDatacenter())
            .build();
    session.execute(
        "CREATE KEYSPACE "
            + EngineTable.KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(settings.table().creation(kind.memtable()));
    statements = settings.table().prepare(session);
  }

  Kind kind() {
    return kind;
  }

  LabNode node() {
    return cluster.node(1);
  }

  String cassandraVersion() {
    return cluster.cassandraVersion();
  }

  /** Writes every row, again if the node was too slow to answer. */
  void load() throws InterruptedException {
    Semaphore free = new Semaphore(WRITES_IN_FLIGHT);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    SplittableRandom random = new SplittableRandom(settings.seed());
    for (long row = 0; row < settings.rows() && failure.get() == null; row++) {
      free.acquire();
      write(statements.write(row, random), free, failure);
    }
    free.acquire(WRITES_IN_FLIGHT);
    if (failure.get() != null) {
      throw new IllegalStateException(
          "loading the rows failed: " + failure.get().getMessage(), failure.get());
    }
  }

  private void write(Statement<?> row, Semaphore free, AtomicReference<Throwable> failure) {
    session
        .executeAsync(row)
        .whenComplete(
            (result, error) -> {
              if (ClosedLoop.isTimeout(error)) {
                write(row, free, failure);
                return;
              }
              failure.compareAndSet(null, error);
              free.release();
            });
  }

  /** Makes the node write what it holds in memory to its data files. */
  void flush() throws IOException {
    kind.flush(management, settings.table().tableName());
  }

  /**
   * Waits until the node has nothing left to do, at most a minute. A compaction whose rate is
   * limited is hardly seen in its processor time, so the node is asked too.
   */
  void settle() throws IOException, InterruptedException {
    long end = System.nanoTime() + SETTLE_NANOS;
    long before = node().cpuNanos();
    double processors = 1;
    while ((processors > IDLE_PROCESSORS || isCompacting()) && System.nanoTime() < end) {
      long start = System.nanoTime();
      Thread.sleep(SETTLE_MILLIS);
      long now = node().cpuNanos();
      processors = (double) (now - before) / (System.nanoTime() - start);
      before = now;
    }
  }

  private boolean isCompacting() throws IOException {
    return kind.isCompacting(management, settings.table().tableName());
  }

  /** Makes the node stand still until the fault is closed, so that it takes nothing. */
  StopAndContinue pause() throws IOException {
    return StopAndContinue.start(node(), Duration.ofDays(1), Duration.ofMillis(1));
  }

  ClosedLoop.Result run(Mix mix, int clients, double seconds, long seed)
      throws InterruptedException {
    return ClosedLoop.run(session, statements, mix, keys, clients, seconds, seed);
  }

  Cost.Meter startMeter() throws IOException {
    return new Cost.Meter(node(), log, management);
  }

  /** Of the table's data files, logs aside. */
  long diskBytes() throws IOException {
    Path data = node().logFile().getParent().resolveSibling("data");
    try (Stream<Path> files = Files.walk(kind.dataFiles(data))) {
      List<Path> all = files.filter(kind::isDataFile).toList();
      long bytes = 0;
      for (Path file : all) {
        bytes += Files.exists(file) ? Files.size(file) : 0;
      }
      return bytes;
    }
  }

  @Override
  public void close() throws IOException {
    if (session != null) {
      session.close();
    }
    if (management != null) {
      management.close();
    }
    cluster.close();
    if (limit != null) {
      limit.close();
    }
  }
}
