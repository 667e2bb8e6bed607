/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import io.curtail.campaign.Progress;
import io.curtail.engine.log.LogReplay;
import io.curtail.engine.trials.NodeCommands;
import io.curtail.engine.trials.TrialNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Fills the disk that RocksDB is on: writes must be refused and reads answered; with room again
 * writes must go on without a restart, though many are refused meanwhile; after a kill all that was
 * acknowledged must be there, though the disk has little more room than the log needs; a compaction
 * for which there is no room must be refused and leave the node as it is.
 */
public final class FullDisk {
  private static final String TABLE = "filled.rows";
  private static final int VALUE_LETTERS = 4_000;
  private static final int REFUSED_WRITES = 5;
  private static final int ROWS_AFTER = 1_000;
  private static final int WRITERS = 8;

  /** So that the log asks for flushes of several while the disk is full. */
  private static final int TABLES_OF_OTHERS = 4;

  private static final String OTHERS = "filled.others";
  private static final long RESUME_NANOS = 120_000_000_000L;

  /** What a start needs: as much again as the log, and half of it for what data files have more. */
  private static final double ROOM_OF_LOG = 1.5;

  private static final String COMPACTED = "filled.compacted";

  /** Less than that table has. */
  private static final long ROOM_OF_COMPACTION = 2 << 20;

  private static final String TOO_LITTLE_ROOM = "too little room to compact";

  private static final String SAVING_ROOM = "compactions wait until it has been read";

  /**
   * Where a trial ended.
   *
   * @param acknowledged rows in all
   * @param refused writes of which the client was told an error
   * @param refusedThere those of them that are in the table all the same, as after a timeout
   * @param failures what was wrong
   */
  public record Result(int acknowledged, int refused, int refusedThere, List<String> failures) {}

  private final NodeSettings settings;
  private final SmallDisk disk;
  private final Path rocksdb;
  private final Progress progress;
  private final List<Integer> acknowledged = new ArrayList<>();
  private final List<Integer> refused = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int next;

  /**
   * @param directory of the node, but for RocksDB's files; empty or absent
   */
  public FullDisk(TrialNode nodes, Path directory, SmallDisk disk, Progress progress) {
    rocksdb = disk.directory().resolve("rocksdb");
    settings =
        nodes
            .with("path", rocksdb.toString())
            .settings(directory)
            .yaml("min_free_space_per_drive", "1MiB") // of compactions, as the disk is small
            .yaml("write_request_timeout", "2s"); // Cassandra's own: a full disk refuses soon
    this.disk = disk;
    this.progress = progress;
  }

  /**
   * Runs once.
   *
   * @throws IllegalStateException if the node does not start
   */
  public Result run() throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(
          "CREATE KEYSPACE filled WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      node.cql("CREATE TABLE " + TABLE + " (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
      for (int i = 0; i < TABLES_OF_OTHERS; i++) {
        node.cql(
            "CREATE TABLE "
                + OTHERS
                + i
                + " (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
      }
      node.call(
          FullDiskWriters.class,
          "start",
          OTHERS,
          String.valueOf(TABLES_OF_OTHERS),
          String.valueOf(WRITERS),
          String.valueOf(VALUE_LETTERS));
      String error = fill(node);
      progress.report(acknowledged.size() + " rows acknowledged, then: " + error);
      while (refused.size() < REFUSED_WRITES) {
        write(node);
      }
      check(node, "with a full disk");
      progress.report("all of them asked for while the disk was full: " + verdict());
      disk.makeRoom();
      resume(node);
      progress.report(
          node.call(FullDiskWriters.class, "stop").get(0) + " writes of others were refused");
      for (int i = 0; i < ROWS_AFTER; i++) {
        String failure = write(node);
        if (failure != null) {
          failures.add("a write failed though there is room: " + failure);
          break;
        }
      }
      check(node, "before the kill");
      node.kill();
    }
    long log = LogReplay.bytes(rocksdb.resolve("log"));
    disk.leave((long) (ROOM_OF_LOG * log));
    progress.report(
        String.format(
            "killed with a log of %d KiB; %d KiB left of the disk",
            log >> 10, disk.freeBytes() >> 10));
    try (NodeProcess node = NodeProcess.start(settings)) {
      if (!Files.readString(settings.directory().resolve("logs/system.log"))
          .contains(SAVING_ROOM)) {
        failures.add("the node did not see how little room there is for its log");
      }
      check(node, "after a kill");
      int there = 0;
      for (int key : refused) {
        there += read(node, key).isEmpty() ? 0 : 1;
      }
      compactWithoutRoom(node);
      return new Result(acknowledged.size(), refused.size(), there, failures);
    }
  }

  private String fill(NodeProcess node) throws IOException {
    long most = disk.freeBytes() / VALUE_LETTERS * 4;
    while (acknowledged.size() < most) {
      String error = write(node);
      if (error != null) {
        return error;
      }
    }
    throw new IllegalStateException(
        "the disk is not full after " + acknowledged.size() + " rows: is RocksDB on it?");
  }

  /** Must be refused in words, and leave the node as it is. */
  private void compactWithoutRoom(NodeProcess node) throws IOException {
    disk.makeRoom();
    node.cql(
        "CREATE TABLE " + COMPACTED + " (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
    for (int round = 0; round < 2; round++) {
      for (int key = 0; key < ROWS_AFTER; key++) {
        insert(node, COMPACTED, key);
      }
      node.call(NodeCommands.class, "flush", COMPACTED.split("\\."));
    }
    disk.leave(ROOM_OF_COMPACTION);
    String error = compact(node);
    progress.report("a compaction with " + (disk.freeBytes() >> 10) + " KiB: " + error);
    if (error == null || !error.contains(TOO_LITTLE_ROOM)) {
      failures.add("a compaction without room was not refused: " + error);
    }
    String failure = write(node);
    if (failure != null) {
      failures.add("a write failed after a compaction without room: " + failure);
    }
    disk.makeRoom();
    error = compact(node);
    if (error != null) {
      failures.add("a compaction failed though there is room: " + error);
    }
    check(node, "after a compaction");
  }

  /** The error; null if it is done. */
  private static String compact(NodeProcess node) throws IOException {
    try {
      node.call(NodeCommands.class, "compact", COMPACTED.split("\\."));
      return null;
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  private void resume(NodeProcess node) throws IOException {
    long start = System.nanoTime();
    String error;
    do {
      error = write(node);
    } while (error != null && System.nanoTime() - start < RESUME_NANOS);
    if (error != null) {
      failures.add("writes did not go on within 120 s: " + error);
      return;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    progress.report(
        String.format(Locale.ROOT, "writes again %.1f s after there was room", seconds));
  }

  /** The error; null if the row is acknowledged. */
  private String write(NodeProcess node) throws IOException {
    int key = next++;
    try {
      insert(node, TABLE, key);
      acknowledged.add(key);
      return null;
    } catch (IllegalStateException e) {
      refused.add(key);
      return e.getMessage();
    }
  }

  private static void insert(NodeProcess node, String table, int key) throws IOException {
    String value = Letters.of(key, VALUE_LETTERS);
    node.cql("INSERT INTO " + table + " (k, v) VALUES (" + key + ", '" + value + "')");
  }

  private void check(NodeProcess node, String when) throws IOException {
    for (int key : acknowledged) {
      List<String> rows = read(node, key);
      if (rows.size() != 1 || !rows.get(0).contains(Letters.of(key, VALUE_LETTERS))) {
        failures.add("row " + key + " is " + (rows.isEmpty() ? "lost" : "wrong") + " " + when);
        return;
      }
    }
  }

  private String verdict() {
    return failures.isEmpty() ? "right" : failures.toString();
  }

  private List<String> read(NodeProcess node, int key) throws IOException {
    return node.cql("SELECT v FROM " + TABLE + " WHERE k = " + key);
  }
}
