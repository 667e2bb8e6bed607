/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import com.sun.management.OperatingSystemMXBean;
import io.curtail.engine.trials.NodeCommands;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.cassandra.cache.ChunkCache;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.ReadQuery;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Requests of a {@link TableCase}, one after the other in one thread of the node, from the prepared
 * statement to the last cell: no protocol, no coordinator. {@code NodeProcess} calls it.
 */
public final class TableTurns {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Values are parts of this, so that making one costs next to nothing. */
  private static final byte[] NOISE = new byte[1 << 20];

  /** Of each row; some meet in one file, some in several, as where rows are read and updated. */
  private static final int UPDATES_BEFORE_TURN = 2;

  private static final Random RANDOM = new Random(42);

  static {
    RANDOM.nextBytes(NOISE);
  }

  private TableTurns() {}

  /** Makes the table of a case and fills it. */
  public static void fill(String name, String storage) throws Exception {
    TableCase.TestTable table = TableCase.TestTable.valueOf(name);
    QueryProcessor.executeOnceInternal(
        "CREATE TABLE IF NOT EXISTS %s (%s) WITH memtable = '%s'"
            .formatted(table.name(storage), table.columns, storage));
    List<String> statements = table.statements();
    for (int i = 0; i < statements.size(); i++) {
      CQLStatement statement = prepare(statements.get(i).replace("#", table.name(storage)));
      int times = statement.getBindVariables().isEmpty() ? 1 : table.partitions;
      for (int partition = 0; partition < times; partition++) {
        if (i == 0 && partition == table.partitions / 2) {
          // A file that meets no other is not compacted, only moved.
          compact(table, storage);
        }
        for (int row = 0; row < (i == 0 ? table.rows : 1); row++) {
          write(statement, values(statement, table, partition, row));
        }
      }
      if (i == 0) {
        compact(table, storage);
      }
    }
    if (table == TableCase.PARTITION.table()) {
      readWhole(table, storage);
    }
  }

  /** So that a case finds what the engine keeps of partitions, also if it is measured alone. */
  private static void readWhole(TableCase.TestTable table, String storage) throws Exception {
    CQLStatement statement = prepare(TableCase.PARTITION.statement(storage));
    for (int partition = 0; partition < table.partitions; partition++) {
      read((SelectStatement) statement, values(statement, table, partition, 0));
    }
  }

  /**
   * Updates all rows of a table, {@link TableCase#HALF}, so that what a turn reads was updated as
   * often as in others, whatever else is measured.
   */
  public static void updateAll(String name, String storage) {
    TableCase.TestTable table = TableCase.TestTable.valueOf(name);
    CQLStatement update = prepare(TableCase.HALF.statement(table, storage));
    for (int i = 0; i < UPDATES_BEFORE_TURN * table.partitions; i++) {
      write(update, values(update, table, i % table.partitions, 0));
    }
  }

  private static void compact(TableCase.TestTable filled, String storage) throws Exception {
    String table = filled.name(storage).substring(filled.name(storage).indexOf('.') + 1);
    NodeCommands.compactStock("bench", table);
    NodeCommands.flush("bench", table);
    NodeCommands.compact("bench", table);
  }

  /**
   * Does what the case asks for so long.
   *
   * @return requests, processor time of their thread and of the process in nanoseconds, bytes of
   *     heap allocated, blocks that were looked up in a cache, and calls of native methods of
   *     RocksDB and the engine
   */
  public static String measure(String name, String storage, String millis) throws Exception {
    TableCase test = TableCase.valueOf(name);
    CQLStatement statement = prepare(test.statement(storage));
    long thread = Thread.currentThread().getId();
    long blocks = blocks(storage);
    NativeCallCounter.start();
    long allocated = THREADS.getThreadAllocatedBytes(thread);
    long process = PROCESS.getProcessCpuTime();
    long cpu = THREADS.getCurrentThreadCpuTime();
    long end = System.nanoTime() + Long.parseLong(millis) * 1_000_000;
    long requests = 0;
    long bytes = 0;
    do {
      Object[] values =
          values(
              statement,
              test.table(),
              RANDOM.nextInt(test.table().partitions),
              RANDOM.nextInt(Math.max(50, test.table().rows)));
      if (test.isRead()) {
        bytes += read((SelectStatement) statement, values);
      } else {
        write(statement, values);
      }
      requests++;
    } while (System.nanoTime() < end);
    cpu = THREADS.getCurrentThreadCpuTime() - cpu;
    process = PROCESS.getProcessCpuTime() - process;
    allocated = THREADS.getThreadAllocatedBytes(thread) - allocated;
    long nativeCalls = NativeCallCounter.calls();
    if (test.isRead() && bytes == 0) {
      throw new IllegalStateException("nothing was read: " + test.statement(storage));
    }
    return requests
        + " "
        + cpu
        + " "
        + process
        + " "
        + allocated
        + " "
        + (blocks(storage) - blocks)
        + " "
        + nativeCalls;
  }

  private static CQLStatement prepare(String statement) {
    return QueryProcessor.prepareInternal(statement).statement;
  }

  /** Values for the markers of a statement, by the names of their columns. */
  private static Object[] values(
      CQLStatement statement, TableCase.TestTable table, int partition, int row) {
    List<ColumnSpecification> markers = statement.getBindVariables();
    Object[] values = new Object[markers.size()];
    for (int i = 0; i < values.length; i++) {
      ColumnSpecification marker = markers.get(i);
      if (marker.type == BytesType.instance) {
        int at = RANDOM.nextInt(NOISE.length - table.valueBytes);
        values[i] = ByteBuffer.wrap(NOISE, at, table.valueBytes).slice();
      } else {
        values[i] = marker.name.toString().equals("c") ? row : partition;
      }
    }
    return values;
  }

  private static void write(CQLStatement statement, Object[] values) {
    statement.executeLocally(
        QueryProcessor.internalQueryState(), QueryProcessor.makeInternalOptions(statement, values));
  }

  private static long read(SelectStatement statement, Object[] values) {
    QueryOptions options = QueryProcessor.makeInternalOptions(statement, values);
    ReadQuery query = statement.getQuery(options, FBUtilities.nowInSeconds());
    long bytes = 0;
    try (ReadExecutionController controller = query.executionController();
        PartitionIterator partitions = query.executeInternal(controller)) {
      while (partitions.hasNext()) {
        try (RowIterator rows = partitions.next()) {
          while (rows.hasNext()) {
            Row row = rows.next();
            for (Cell<?> cell : row.cells()) {
              bytes += cell.valueSize();
            }
          }
        }
      }
    }
    return bytes;
  }

  private static long blocks(String storage) throws Exception {
    if (!storage.equals("rocksdb")) {
      return ChunkCache.instance.metrics.snapshot().requestCount();
    }
    Map<String, Long> counters = NodeCommands.engine().getCounters();
    return counters.get("block_cache_hit") + counters.get("block_cache_miss");
  }
}
