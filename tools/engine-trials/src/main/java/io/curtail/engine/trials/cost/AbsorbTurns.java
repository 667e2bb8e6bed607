/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import com.sun.management.OperatingSystemMXBean;
import io.curtail.engine.trials.NodeCommands;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** Absorbs data files in a node, one after another. */
public final class AbsorbTurns {
  private static final int ROW_BYTES = 1_000;
  private static final Path COUNTERS = Path.of("/proc/self/io");

  private AbsorbTurns() {}

  /**
   * Makes a table with one data file, of rows of a kilobyte, and absorbs it.
   *
   * @param table not there yet
   * @param rows how many
   * @return an {@link AbsorbCost}, as a line
   */
  public static String measure(String table, String rows) throws Exception {
    String name = "bench." + table;
    NodeCommands.cql(
        "CREATE TABLE " + name + " (k int PRIMARY KEY, v text) WITH memtable = 'default'");
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < Integer.parseInt(rows); k++) {
      text.setLength(0);
      random.ints(ROW_BYTES, 'a', 'z').forEach(c -> text.append((char) c));
      QueryProcessor.executeInternal(
          "INSERT INTO " + name + " (k, v) VALUES (?, ?)", k, text.toString());
    }
    NodeCommands.compactStock("bench", table);
    NodeCommands.cql("ALTER TABLE " + name + " WITH memtable = 'rocksdb'");
    ColumnFamilyStore store = Keyspace.open("bench").getColumnFamilyStore(table);
    double fileBytes =
        store.getLiveSSTables().stream().mapToLong(SSTableReader::onDiskLength).sum();
    long nanos = System.nanoTime();
    double cpu = cpuMillis();
    double written = writtenBytes();
    NodeCommands.absorb("bench", table);
    NodeCommands.flush("bench", table);
    AbsorbCost cost =
        new AbsorbCost(
            cpuMillis() - cpu,
            writtenBytes() - written,
            (System.nanoTime() - nanos) / 1e6,
            fileBytes);
    NodeCommands.cql("DROP TABLE " + name);
    return cost.line();
  }

  private static double cpuMillis() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e6;
  }

  private static double writtenBytes() throws IOException {
    return Files.readAllLines(COUNTERS).stream()
        .filter(line -> line.startsWith("write_bytes: "))
        .mapToDouble(line -> Double.parseDouble(line.substring("write_bytes: ".length())))
        .sum();
  }
}
