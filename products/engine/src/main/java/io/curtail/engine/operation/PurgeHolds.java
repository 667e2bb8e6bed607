/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.schema.CompactionParams.TombstoneOption;

/**
 * Keeps Cassandra's compactions of a table from purging deletions while its rows move to data
 * files, and until those are over that began before.
 *
 * <p>A compaction looks for older rows in memtables, of which ours is one, and in data files, which
 * it has chosen when it began. Rows that are in a memtable first and in a new file then it would
 * not find. A memtable of Cassandra has no rows as old as a deletion that may be purged; ours has
 * the whole table.
 *
 * <p>Thread-safe.
 */
public final class PurgeHolds {
  private static final int POLL_SECONDS = 1;

  private final Map<ColumnFamilyStore, Integer> moves = new HashMap<>();

  /** Those whose operator does not want it anyway. */
  private final Set<ColumnFamilyStore> others = new HashSet<>();

  /** Before a memtable of the table begins to be written. */
  public synchronized void begin(ColumnFamilyStore table) {
    if (moves.merge(table, 1, Integer::sum) > 1) {
      return;
    }
    if (table.getNeverPurgeTombstones()) {
      others.add(table);
    } else {
      table.setNeverPurgeTombstones(true);
    }
  }

  /** Once the memtable is gone, and its files are the table's. */
  public void end(ColumnFamilyStore table) {
    endAfter(table, compacting(table));
  }

  private void endAfter(ColumnFamilyStore table, Collection<Descriptor> before) {
    Set<Descriptor> compacting = compacting(table);
    boolean areOver = before.stream().noneMatch(compacting::contains);
    if (compacting.isEmpty() || (areOver && !isAnyLookingIntoOthers(table))) {
      ended(table);
      return;
    }
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.schedule(
            () -> endAfter(table, before), POLL_SECONDS, TimeUnit.SECONDS);
  }

  private static Set<Descriptor> compacting(ColumnFamilyStore table) {
    return table.getTracker().getCompacting().stream()
        .map(file -> file.descriptor)
        .collect(Collectors.toSet());
  }

  /** One that began meanwhile has chosen no others, and would fail if it were to look. */
  private static boolean isAnyLookingIntoOthers(ColumnFamilyStore table) {
    return table.getCompactionStrategyManager().getCompactionParams().tombstoneOption()
            != TombstoneOption.NONE
        || !CompactionManager.instance
            .getCompactionsMatching(
                List.of(table.metadata()),
                info -> info.getTaskType() == OperationType.GARBAGE_COLLECT)
            .isEmpty();
  }

  private synchronized void ended(ColumnFamilyStore table) {
    if (moves.merge(table, -1, Integer::sum) > 0) {
      return;
    }
    moves.remove(table);
    if (!others.remove(table)) {
      table.setNeverPurgeTombstones(false);
    }
  }
}
