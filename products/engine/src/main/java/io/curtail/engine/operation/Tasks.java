/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.utils.TimeUUID;

/**
 * What operators have asked for that takes long, and how far it is. {@code nodetool
 * compactionstats} shows each, {@code nodetool stop} ends it, and so does a truncation of its
 * table. Thread-safe.
 */
public final class Tasks {
  private final Map<String, Task> running = new ConcurrentHashMap<>();

  /**
   * Notes that something has begun; the caller closes it.
   *
   * @throws IllegalStateException if the same goes on already
   */
  public Task begin(OperationType type, StoredTable table) {
    return begin(type.name().toLowerCase(Locale.ROOT), type, table);
  }

  /** The same, for what Cassandra has no type of its own. */
  public Task begin(String what, OperationType type, StoredTable table) {
    Task task = new Task(what, type, table);
    if (running.putIfAbsent(task.name, task) != null) {
      throw new IllegalStateException(task.name + " goes on already");
    }
    CompactionManager.instance.active.beginCompaction(task);
    return task;
  }

  /** Whether that goes on. */
  boolean isRunning(OperationType type, StoredTable table) {
    return running.containsKey(name(type.name().toLowerCase(Locale.ROOT), table));
  }

  private static String name(String what, StoredTable table) {
    return what + " " + table.name();
  }

  /** The share that is done of each that goes on, from 0 to 1, by name. */
  public Map<String, Double> progress() {
    Map<String, Double> progress = new TreeMap<>();
    running.forEach((name, task) -> progress.put(name, task.share()));
    return progress;
  }

  private static final class Share {
    private final long part;
    private final long whole;
    private final CompactionInfo.Unit unit;

    Share(long part, long whole, CompactionInfo.Unit unit) {
      this.part = part;
      this.whole = whole;
      this.unit = unit;
    }
  }

  /** One of them, told on by one thread. */
  public final class Task extends CompactionInfo.Holder implements AutoCloseable {
    private final String name;
    private final OperationType type;
    private final TimeUUID id = TimeUUID.Generator.nextTimeUUID();
    private volatile StoredTable table;
    private volatile Share progress;

    private Task(String what, OperationType type, StoredTable table) {
      this.type = type;
      this.table = table;
      name = name(what, table);
      tell(0, CompactionProgress.PARTS, CompactionInfo.Unit.RANGES);
    }

    private void tell(long part, long whole, CompactionInfo.Unit unit) {
      progress = new Share(part, whole, unit);
    }

    private double share() {
      Share now = progress;
      return now.whole == 0 ? 1 : (double) now.part / now.whole;
    }

    /** Which it is at: the table, or one of its indexes. Who needs that one's files ends it. */
    public void at(StoredTable store) {
      table = store;
    }

    /** How far it is in bytes. */
    public void at(long bytes, long whole) {
      tell(Math.min(bytes, whole), whole, CompactionInfo.Unit.BYTES);
    }

    /** How far it is by the place in the ring, from the least token to the greatest. */
    public void at(Token token) {
      tell(
          CompactionProgress.partsBefore(token),
          CompactionProgress.PARTS,
          CompactionInfo.Unit.RANGES);
    }

    /**
     * Waits so that what it reads is no more than Cassandra's compactions may.
     *
     * @throws IllegalStateException if it shall end
     */
    public void read(long bytes) {
      if (isStopRequested()) {
        throw new IllegalStateException(
            name + " was stopped, by nodetool, for a truncation or a repair");
      }
      if (bytes > 0) {
        CompactionManager.instance
            .getRateLimiter()
            .acquire((int) Math.min(bytes, Integer.MAX_VALUE));
      }
    }

    /** With the definition of now: Cassandra ends what has the same as the table. */
    @Override
    public CompactionInfo getCompactionInfo() {
      Share now = progress;
      return CompactionProgress.of(table.metadata(), type, now.part, now.whole, now.unit, id);
    }

    @Override
    public boolean isGlobal() {
      return false;
    }

    @Override
    public void close() {
      running.remove(name);
      CompactionManager.instance.active.finishCompaction(this);
    }
  }
}
