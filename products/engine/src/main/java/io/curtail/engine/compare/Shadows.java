/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;

/** The {@link Shadow} of each table that has one, and the threads that they share. Thread-safe. */
public final class Shadows {
  /** Those of this node. */
  public static final Shadows NODE = new Shadows();

  private static final int WRITERS = 2;
  private static final long LOOK_MILLIS = 1_000;

  private final Map<TableId, Shadow> shadows = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor writers =
      new ThreadPoolExecutor(
          WRITERS,
          WRITERS,
          1,
          TimeUnit.MINUTES,
          new LinkedBlockingQueue<>(),
          daemons("curtail-shadow-writer"));
  private final ScheduledExecutorService watch =
      new ScheduledThreadPoolExecutor(1, daemons("curtail-shadow-comparer"));

  private boolean isWatching;
  private volatile boolean isClosed;

  private Shadows() {
    writers.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory daemons(String name) {
    return runnable -> {
      Thread thread = new Thread(runnable, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** The shadow of a table, with these options from now on. */
  public synchronized Shadow of(
      ColumnFamilyStore table, TableMetadataRef metadata, ShadowOptions options, Shadow.Host host) {
    Shadow known = shadows.get(metadata.id);
    if (known != null && known.table == table && known.options.equals(options)) {
      return known;
    }
    Shadow made = new Shadow(table, metadata, options, host, writers);
    shadows.put(metadata.id, made);
    if (known != null) {
      known.retire();
    }
    if (!isWatching) {
      ScheduledFuture<?> unused =
          watch.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      isWatching = true;
    }
    return made;
  }

  private void look() {
    if (!StorageService.instance.isDaemonSetupCompleted()) {
      return;
    }
    for (Shadow shadow : all()) {
      if (!isClosed) {
        shadow.look();
      }
    }
  }

  /** The table is gone or has another memtable. */
  synchronized void remove(Shadow shadow) {
    if (shadows.remove(shadow.table.metadata.id, shadow)) {
      shadow.retire();
    }
  }

  /** All of them now. */
  public List<Shadow> all() {
    return new ArrayList<>(shadows.values());
  }

  /**
   * That of a table.
   *
   * @throws IllegalArgumentException if it has none
   */
  public Shadow get(String keyspace, String table) {
    for (Shadow shadow : all()) {
      if (shadow.name().equals(keyspace + "." + table)) {
        return shadow;
      }
    }
    throw new IllegalArgumentException(
        keyspace + "." + table + " has no memtable that compares it with RocksDB");
  }

  /** RocksDB can no more: all of them end. */
  public void end(String why) {
    all().forEach(shadow -> shadow.end(why));
  }

  /** The node goes down. */
  public void close() {
    isClosed = true;
    all().forEach(Shadow::stop);
  }
}
