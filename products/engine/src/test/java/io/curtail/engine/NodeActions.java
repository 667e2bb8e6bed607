/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.apache.cassandra.utils.ByteBufferUtil.bytes;

import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.jna.Function;
import io.curtail.engine.compare.Shadows;
import io.curtail.engine.log.WriteAheadLog;
import io.curtail.engine.operation.Absorb;
import io.curtail.engine.operation.CommitLogRelease;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.StorageErrors;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.notifications.SSTableListChangedNotification;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.snapshot.SnapshotManager;
import org.apache.cassandra.service.snapshot.TableSnapshot;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.Hex;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** What tests do inside a node in a child process: {@code CALL} of its commands. */
public final class NodeActions {
  private static final Set<OperationType> BUILDS =
      Set.of(OperationType.INDEX_BUILD, OperationType.VIEW_BUILD);

  private static final String PADDING = "x".repeat(1_000);

  private NodeActions() {}

  /** Inserts rows of about a kilobyte: partitions 0 to n, their value is the partition modulo 7. */
  public static void fill(String table, String from, String to) throws Exception {
    String insert = "INSERT INTO " + table + " (k, v, padding) VALUES (?, ?, ?)";
    Inserts.run(insert, from, to, k -> List.of(bytes(k), bytes(k % 7), bytes(PADDING)));
  }

  /** The same, from zero and without a value. */
  public static void fillUnindexed(String table, String to) throws Exception {
    String insert = "INSERT INTO " + table + " (k, padding) VALUES (?, ?)";
    Inserts.run(insert, "0", to, k -> List.of(bytes(k), bytes(PADDING)));
  }

  /** Inserts rows with values of about twenty kilobytes, each another. */
  public static void fillIndexed(String table, String from, String to) throws Exception {
    String insert = "INSERT INTO " + table + " (k, v) VALUES (?, ?)";
    Inserts.run(insert, from, to, k -> List.of(bytes(k), bytes(k + PADDING.repeat(20))));
  }

  /** The indexes of a table that are built. */
  public static String builtIndexes(String keyspace, String table) {
    return String.join(" ", Keyspace.open(keyspace).getColumnFamilyStore(table).getBuiltIndexes());
  }

  /** Alters a table to another memtable; then the process dies at once. */
  public static void alterAndDie(String table, String memtable) {
    cql("ALTER TABLE " + table + " WITH memtable = '" + memtable + "'");
    die();
  }

  /** Alters a table to another memtable; the process dies when its rows are being copied there. */
  public static void alterAndDieCopying(String table, String memtable) {
    cql("ALTER TABLE " + table + " WITH memtable = '" + memtable + "'");
    while (Engine.running().tasks.progress().isEmpty() && !leaving().isEmpty()) {
      Thread.onSpinWait();
    }
    die();
  }

  /**
   * Truncates a table; the process dies when Cassandra tells this, once a row has been written, and
   * before it tells the next.
   */
  public static void truncateAndDie(String keyspace, String table, String told, String k) {
    Tracker tracker = Keyspace.open(keyspace).getColumnFamilyStore(table).getTracker();
    tracker.subscribe(
        (notification, sender) -> {
          if (notification.getClass().getSimpleName().equals(told)) {
            cql(String.format("INSERT INTO %s.%s (k, v) VALUES (%s, 0)", keyspace, table, k));
            die();
          }
        });
    cql("TRUNCATE " + keyspace + "." + table);
  }

  /** Has the commit log give up what it may of a table that is copied; then the process dies. */
  public static void releaseCommitLogAndDie(String keyspace, String table) {
    List<String> before = CommitLog.instance.getActiveSegmentNames();
    CommitLog.instance.forceRecycleAllSegments();
    ColumnFamilyStore store = Keyspace.open(keyspace).getColumnFamilyStore(table);
    CommitLogRelease.release(Map.of(store, (StoredTable) store.getCurrentMemtable()));
    if (Collections.disjoint(before, CommitLog.instance.getActiveSegmentNames())) {
      for (String segment : before) {
        File file = new File(DatabaseDescriptor.getCommitLogLocation(), segment);
        while (file.exists()) {
          Thread.onSpinWait();
        }
      }
    }
    die();
  }

  /** Copies a table to Cassandra's data files. */
  public static String copyOut(String keyspace, String table) throws IOException {
    return Long.toString(new EngineControl(Engine.running()).copyOut(keyspace, table));
  }

  /** Takes a table's data files into RocksDB; how many there were. */
  public static String absorb(String keyspace, String table) throws IOException {
    return Long.toString(new EngineControl(Engine.running()).absorb(keyspace, table));
  }

  /** Takes a snapshot of a table. */
  public static void snapshot(String keyspace, String table, String snapshot) {
    Keyspace.open(keyspace).getColumnFamilyStore(table).snapshot(snapshot);
  }

  /**
   * Takes a snapshot that has expired by then, and has it removed as Cassandra removes such; how
   * many folders it leaves, and how many are left when the engine has looked.
   */
  public static String expire(String keyspace, String table, String snapshot) {
    ColumnFamilyStore store = Keyspace.open(keyspace).getColumnFamilyStore(table);
    SnapshotManager manager = StorageService.instance.snapshotManager;
    synchronized (manager) { // or its own thread may come first
      TableSnapshot taken =
          store.snapshot(
              snapshot,
              false,
              new DurationSpec.IntSecondsBound("60s"),
              null,
              Instant.now().minus(Duration.ofHours(1)));
      Engine.running().watch.look();
      manager.clearSnapshot(taken);
      long left = folders(store, snapshot);
      Engine.running().watch.look();
      return left + " " + folders(store, snapshot);
    }
  }

  private static long folders(ColumnFamilyStore store, String snapshot) {
    return store.getDirectories().getCFDirectories().stream()
        .filter(folder -> folder.toPath().resolve("snapshots").resolve(snapshot).toFile().exists())
        .count();
  }

  /** Writes the rows of a snapshot to a table; how many writes it took. */
  public static String restore(String keyspace, String table, String snapshot) throws IOException {
    return Long.toString(new EngineControl(Engine.running()).restore(keyspace, table, snapshot));
  }

  /** No sync of the engine's log is taken for done any more, as if the disk had failed one. */
  public static void failLogSyncs() throws ReflectiveOperationException {
    Database database = Engine.running().database;
    Field log = Database.class.getDeclaredField("log");
    Field unsynced = WriteAheadLog.class.getDeclaredField("unsynced");
    log.setAccessible(true);
    unsynced.setAccessible(true);
    unsynced.set(log.get(database), new IOException("the disk fails"));
  }

  /** Marks the directory as one of another version of the engine. */
  public static void writeFormat(String format) throws RocksDBException {
    Database database = Engine.running().database;
    byte[] written = {Byte.parseByte(format)};
    try (WriteOptions inMemory = new WriteOptions().setDisableWAL(true);
        FlushOptions toDisk = new FlushOptions().setWaitForFlush(true)) {
      database.rocksdb.put(inMemory, "format".getBytes(StandardCharsets.UTF_8), written);
      database.rocksdb.flush(toDisk);
    }
  }

  /** Whether the node talks to others: {@code disk_failure_policy: stop} ends it. */
  public static boolean talks() {
    return Gossiper.instance.isEnabled();
  }

  /** As {@code nodetool enablegossip} and {@code enablebinary}. */
  public static void talk() {
    StorageService.instance.startGossiping();
    StorageService.instance.startNativeTransport();
  }

  /** Writes to a table, which has a blob v, until its writers wait for RocksDB to write files. */
  public static void stall(String table) throws Exception {
    RocksDB database = Engine.running().database.rocksdb;
    database.pauseBackgroundWork();
    byte[] noise = new byte[100_000]; // files of it are as large
    new Random(1).nextBytes(noise);
    String value = "0x" + Hex.bytesToHex(noise);
    String insert = "INSERT INTO " + table + " (k, v) VALUES (%d, " + value + ")";
    AtomicInteger keys = new AtomicInteger();
    for (int writer = 0; writer < 4; writer++) {
      Thread thread = new Thread(() -> insertUntilRefused(insert, keys));
      thread.setDaemon(true);
      thread.start();
    }
    while (database.getLongProperty("rocksdb.is-write-stopped") == 0) {
      Thread.sleep(10);
    }
  }

  private static void insertUntilRefused(String insert, AtomicInteger keys) {
    while (true) {
      cql(String.format(insert, keys.getAndIncrement()));
    }
  }

  /** RocksDB may write files again. */
  public static void endStall() throws RocksDBException {
    Engine.running().database.rocksdb.continueBackgroundWork();
  }

  /** Truncates a table. */
  public static void truncate(String keyspace, String table) {
    Keyspace.open(keyspace).getColumnFamilyStore(table).truncateBlocking();
  }

  /** Flushes a table in RocksDB. */
  public static void flushInRocks(String keyspace, String table) throws IOException {
    new EngineControl(Engine.running()).flush(keyspace, table);
  }

  /** Compacts a table in RocksDB. */
  public static void compact(String keyspace, String table) throws IOException {
    new EngineControl(Engine.running()).compact(keyspace, table);
  }

  /** Sweeps a table; of what class the exception is, if it fails. */
  public static String sweep(String keyspace, String table) {
    try {
      new EngineControl(Engine.running()).sweep(keyspace, table);
      return "";
    } catch (IOException | RuntimeException | Error e) {
      return e.getClass().getName() + ": " + e.getMessage();
    }
  }

  /** Copies RocksDB. */
  public static void checkpoint(String directory) throws IOException {
    new EngineControl(Engine.running()).checkpoint(directory);
  }

  /** Begins to absorb; the process dies after so many steps. */
  public static void absorbAndDie(String keyspace, String table, String steps) {
    AtomicInteger left = new AtomicInteger(Integer.parseInt(steps));
    Absorb.run(
        Keyspace.open(keyspace).getColumnFamilyStore(table),
        bytes -> {
          if (left.decrementAndGet() == 0) {
            die();
          }
        });
  }

  /** Does the same; the process dies when the first file goes. */
  public static void absorbAndDieRemoving(String keyspace, String table) {
    ColumnFamilyStore store = Keyspace.open(keyspace).getColumnFamilyStore(table);
    RocksMemtable memtable = TestNode.memtable(store);
    new Thread(
            () -> {
              while (memtable.store().absorbed.areGone()) {
                Thread.onSpinWait();
              }
              die();
            })
        .start();
    store
        .getTracker()
        .subscribe(
            (notification, sender) -> {
              if (notification instanceof SSTableListChangedNotification) {
                die(); // the other thread may not have run meanwhile
              }
            });
    Absorb.run(store, bytes -> {});
    Uninterruptibles.sleepUninterruptibly(Duration.ofMinutes(3));
  }

  /** Creates an index of {@code k.t}, or a view of it; the process dies while it is built. */
  public static void createAndDie(String what) {
    new Thread(
            () -> {
              while (CompactionManager.instance.active.getCompactions().stream()
                  .noneMatch(each -> BUILDS.contains(each.getCompactionInfo().getTaskType()))) {
                Thread.onSpinWait();
              }
              die();
            })
        .start();
    cql(
        what.equals("index")
            ? "CREATE INDEX v ON k.t (v) USING 'legacy_local_table'"
            : "CREATE MATERIALIZED VIEW k.v AS SELECT k, v FROM k.t WHERE k IS NOT NULL AND v IS NOT"
                + " NULL PRIMARY KEY (v, k) WITH memtable = 'rocksdb'");
    Uninterruptibles.sleepUninterruptibly(Duration.ofMinutes(3));
  }

  /** Flushes a table and its indexes. */
  public static void flush(String keyspace, String table) {
    Keyspace.open(keyspace)
        .getColumnFamilyStore(table)
        .forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
  }

  /** Brings a table's write buffers to RocksDB's files. */
  public static void flushRocks(String keyspace, String table) throws IOException {
    new EngineControl(Engine.running()).flush(keyspace, table);
  }

  /** How many data files of Cassandra a table and its indexes have. */
  public static String dataFiles(String keyspace, String table) {
    int files = 0;
    for (ColumnFamilyStore each :
        Keyspace.open(keyspace).getColumnFamilyStore(table).concatWithIndexes()) {
      files += each.getLiveSSTables().size();
    }
    return Integer.toString(files);
  }

  /** Alters a table to another memtable, with a statement prepared before that inserts a row. */
  public static void alterAndWritePrepared(String table, String memtable, String k) {
    CQLStatement prepared =
        QueryProcessor.parseStatement(
            "INSERT INTO " + table + " (k) VALUES (" + k + ")", ClientState.forInternalCalls());
    cql("ALTER TABLE " + table + " WITH memtable = '" + memtable + "'");
    prepared.execute(
        QueryState.forInternalCalls(),
        QueryOptions.forInternalCalls(ConsistencyLevel.ONE, List.of()),
        Dispatcher.RequestTime.forImmediateExecution());
  }

  /** The same; then the process dies at once. */
  public static void alterAndWritePreparedAndDie(String table, String memtable, String k) {
    alterAndWritePrepared(table, memtable, k);
    die();
  }

  /**
   * Alters a table to another memtable, and inserts a row with its new definition before it has the
   * memtable; then the process dies.
   */
  public static void alterAndWriteEarlyAndDie(
      String keyspace, String table, String memtable, String k) {
    Schema.instance.registerListener(
        new SchemaChangeListener() {
          @Override
          public void onPreAlterTable(TableMetadata before, TableMetadata after) {
            PartitionUpdate.SimpleBuilder update =
                PartitionUpdate.simpleBuilder(after, Integer.parseInt(k));
            update.row().add("v", 1);
            update.buildAsMutation().apply();
            die();
          }
        });
    cql("ALTER TABLE " + keyspace + "." + table + " WITH memtable = '" + memtable + "'");
  }

  /** Writes a table to a temporary data file, as for a stream that ends at once. */
  public static void writeTemporaryFile(String keyspace, String table) {
    TemporaryFilesTest.write(Keyspace.open(keyspace).getColumnFamilyStore(table)).close();
  }

  /** Looks after such files once. */
  public static void deleteTemporaryFiles() {
    Engine.running().temporaryFiles.deleteUnread();
  }

  /** Writes a table to a temporary data file, as for a stream; the process dies when it begins. */
  public static void dieWritingTemporaryFile(String keyspace, String table) {
    ColumnFamilyStore store = Keyspace.open(keyspace).getColumnFamilyStore(table);
    Thread watch = new Thread(() -> dieWhenThereIsADataFile(store));
    watch.start();
    TemporaryFilesTest.write(store).close();
    Uninterruptibles.joinUninterruptibly(watch);
  }

  private static void dieWhenThereIsADataFile(ColumnFamilyStore store) {
    while (TemporaryFilesTest.dataFiles(store).isEmpty()) {
      Thread.onSpinWait();
    }
    die();
  }

  /** The tables that have rows in RocksDB. */
  public static String tablesInRocks() {
    Engine engine = Engine.running();
    return engine == null
        ? ""
        : engine.database.generations.tables().stream()
            .map(table -> table.substring(0, table.lastIndexOf('/')))
            .sorted()
            .collect(Collectors.joining(" "));
  }

  /** The tables and indexes that were altered to another memtable and have rows in RocksDB yet. */
  public static String leaving() {
    return Engine.running().stores.memtables().stream()
        .filter(StoredTable::isLeaving)
        .map(StoredTable::name)
        .collect(Collectors.joining(" "));
  }

  /** The states of the tables that are compared. */
  public static String compared() {
    return Shadows.NODE.all().stream()
        .map(shadow -> String.valueOf(shadow.values().get("state")))
        .collect(Collectors.joining(" "));
  }

  /** RocksDB fails in a thread of its own; whether the process goes on. */
  public static String failInBackground() {
    EngineFailures.tell(
        StorageErrors.writing(
            new RocksDBException("no space"), Engine.running().database.directory));
    return Boolean.toString(Gossiper.instance.isEnabled());
  }

  /** What an operator does before a node is stopped. */
  public static void drain() throws Exception {
    StorageService.instance.drain();
  }

  /** Whether Cassandra's commit log gives up all its segments when it is asked to. */
  public static String isCommitLogReleased() {
    List<String> before = CommitLog.instance.getActiveSegmentNames();
    CommitLog.instance.forceRecycleAllSegments();
    return Boolean.toString(
        Collections.disjoint(before, CommitLog.instance.getActiveSegmentNames()));
  }

  /** Writes a row while a configuration is being made, for which Cassandra holds a lock. */
  public static void writeWhileAnotherIsOpened(String table) throws InterruptedException {
    Thread opening = new Thread(() -> MemtableParams.getWithFallback("slow"));
    opening.start();
    SlowMemtable.BEGUN.await();
    try {
      // A write that waits for the lock fails with a timeout.
      cql("INSERT INTO " + table + " (k) VALUES (1)");
    } finally {
      SlowMemtable.MAY_END.countDown();
      opening.join();
    }
  }

  /** SIGKILL: what Java has to end a process runs code of RocksDB, which may wait for ever. */
  static void die() {
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    Function.getFunction("c", "kill").invokeInt(new Object[] {pid, 9});
  }

  private static void cql(String statement) {
    QueryProcessor.process(statement, ConsistencyLevel.ONE);
  }
}
