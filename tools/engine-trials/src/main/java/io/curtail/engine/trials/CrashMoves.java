/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;

/**
 * Copies tables out, takes their data files in, and alters them to another memtable and back, until
 * the node is killed.
 */
public final class CrashMoves {
  private static final String[] MEMTABLES = {"default", "rocksdb"};
  private static final int MOST_MILLIS = 100;

  private CrashMoves() {}

  /**
   * Starts a thread that alters.
   *
   * @param notes a file to which it adds a line for each statement that is done
   * @param seed of its choices, a number
   */
  public static void start(String notes, String seed) {
    Random random = new Random(Long.parseLong(seed));
    Thread thread = new Thread(() -> alter(Path.of(notes), random), "mover");
    thread.setDaemon(true);
    thread.start();
  }

  private static void alter(Path file, Random random) {
    try (FileOutputStream notes = new FileOutputStream(file.toFile())) {
      while (true) {
        String table = CrashTables.TABLES.get(random.nextInt(CrashTables.TABLES.size()));
        String memtable = MEMTABLES[random.nextInt(MEMTABLES.length)];
        if (random.nextBoolean()) {
          ask("copyOut", table);
        }
        QueryProcessor.process(
            "ALTER TABLE crash." + table + " WITH memtable = '" + memtable + "'",
            ConsistencyLevel.ONE);
        if (random.nextInt(3) == 0) {
          ask("absorb", table);
        }
        notes.write((table + "\n").getBytes(StandardCharsets.US_ASCII));
        Thread.sleep(random.nextInt(MOST_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ask(String operation, String table) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("io.curtail.engine:type=Engine"),
              operation,
              new Object[] {"crash", table},
              new String[] {String.class.getName(), String.class.getName()});
    } catch (RuntimeMBeanException e) {
      String why = String.valueOf(e.getCause().getMessage());
      // It is not in RocksDB now, or is copied.
      if (!why.contains("is not stored in RocksDB") && !why.contains("is copied")) {
        throw e;
      }
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
