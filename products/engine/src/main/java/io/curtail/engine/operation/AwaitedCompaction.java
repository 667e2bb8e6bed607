/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.table.TableStore;
import java.time.Duration;
import org.rocksdb.TickerType;

/**
 * What is absorbed waits here for RocksDB's compactions: if it got ahead of them, all of the node's
 * writes would wait. Thread-safe.
 */
public final class AwaitedCompaction {
  private final StoredTable memtable;
  private final TableStore store;
  private final Duration patience;

  /**
   * @param patience how long compactions may write nothing although they are waited for: where the
   *     operator's {@code cf_options} leave more files than this waits for, or the disk has no room
   *     for the next one, they never do
   */
  public AwaitedCompaction(StoredTable memtable, Duration patience) {
    this.memtable = memtable;
    this.store = memtable.store();
    this.patience = patience;
  }

  /**
   * Returns when level 0 has few files.
   *
   * @param pause takes some time, and may end the wait by what it throws
   * @throws IllegalStateException if RocksDB compacts nothing for longer than it should
   */
  public void await(Runnable pause) {
    long most =
        Math.max(DatabaseOptions.UNIVERSAL_RUNS, store.database.options.warnLevel0Files / 2);
    long idleSinceNanos = System.nanoTime();
    long written = written();
    while (store.level0Files() > most) {
      if (written() > written) {
        written = written();
        idleSinceNanos = System.nanoTime();
      } else if (System.nanoTime() - idleSinceNanos > patience.toNanos()) {
        throw new IllegalStateException(
            "more than "
                + most
                + " files of "
                + memtable.name()
                + " are in level 0, and RocksDB compacts none: cf_options or the node's log say why;"
                + " absorb again when it does");
      }
      pause.run();
    }
  }

  /** Also by those of other tables, for which this may have to wait. */
  private long written() {
    return store.database.statistics().getTickerCount(TickerType.COMPACT_WRITE_BYTES);
  }
}
