/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import io.curtail.engine.EngineMXBean;
import io.curtail.engine.trials.NodeCommands;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;

/**
 * Copies tables out, takes their data files in, and alters them to another memtable and back, until
 * the node is killed.
 */
public final class CrashMoves {
  private static final String[] MEMTABLES = {"default", "rocksdb"};
  private static final int MOST_MILLIS = 100;

  /** It is not in RocksDB now, is copied, or is on its way. */
  private static final List<String> EXCUSES =
      List.of(
          "is not stored in RocksDB", "is copied", "goes on already", "was altered", "was stopped");

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
        // As often as all the others.
        String table =
            random.nextBoolean()
                ? CrashLarge.TABLE
                : CrashTables.TABLES.get(random.nextInt(CrashTables.TABLES.size()));
        String memtable = MEMTABLES[random.nextInt(MEMTABLES.length)];
        if (random.nextBoolean()) {
          ask("copyOut", table);
        }
        NodeCommands.cql("ALTER TABLE crash." + table + " WITH memtable = '" + memtable + "'");
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

  /** Whether a table is on its way out, and one is copied. */
  public static String isCopying() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    if (!hasEngine()) {
      return Boolean.toString(false);
    }
    String tables = server.getAttribute(new ObjectName(EngineMXBean.NAME), "Tables").toString();
    String progress = server.getAttribute(new ObjectName(EngineMXBean.NAME), "Progress").toString();
    return Boolean.toString(tables.contains("MOVING_OUT") && progress.contains("write crash."));
  }

  private static boolean hasEngine() throws JMException {
    return ManagementFactory.getPlatformMBeanServer()
        .isRegistered(new ObjectName(EngineMXBean.NAME));
  }

  private static void ask(String operation, String table) {
    try {
      if (!hasEngine()) {
        return;
      }
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName(EngineMXBean.NAME),
              operation,
              new Object[] {"crash", table},
              new String[] {String.class.getName(), String.class.getName()});
    } catch (RuntimeMBeanException e) {
      String why = String.valueOf(e.getCause().getMessage());
      if (EXCUSES.stream().noneMatch(why::contains)) {
        throw e;
      }
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
