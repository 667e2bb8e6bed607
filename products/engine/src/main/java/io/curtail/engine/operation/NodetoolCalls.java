/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Map;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.slf4j.LoggerFactory;

/**
 * Warns of operations of nodetool that look at Cassandra's data files only, and names the one that
 * is for tables in RocksDB. Cassandra asks no memtable about them; all that there is to notice is
 * what it logs when it begins one. So it hears that line, where Cassandra logs with Logback.
 */
final class NodetoolCalls extends AppenderBase<ILoggingEvent> {
  private static final org.slf4j.Logger logger = LoggerFactory.getLogger(NodetoolCalls.class);

  /** Of {@code CompactionManager.parallelAllSSTableOperation}: type, keyspace, table. */
  private static final String BEGINNING = "Starting {} for {}.{}";

  private static final Map<OperationType, String> INSTEAD =
      Map.of(
          OperationType.CLEANUP, "cleanup",
          OperationType.GARBAGE_COLLECT, "sweep",
          OperationType.SCRUB, "verify",
          OperationType.VERIFY, "verify");

  private final TableStores stores;

  NodetoolCalls(TableStores stores) {
    this.stores = stores;
    setName("curtail-engine");
  }

  /** Listens, if it does not yet or no more: Logback forgets it when it reads its file again. */
  void listen() {
    org.slf4j.Logger source = LoggerFactory.getLogger(CompactionManager.class);
    if (source instanceof Logger) {
      Logger logback = (Logger) source;
      setContext(logback.getLoggerContext());
      start();
      if (!logback.isAttached(this)) {
        logback.addAppender(this);
      }
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    if (BEGINNING.equals(event.getMessage()) && arguments != null && arguments.length == 3) {
      String instead = INSTEAD.get(arguments[0]);
      String table = arguments[1] + "." + arguments[2];
      if (instead != null && hasRows(table)) {
        logger.warn(
            "{} of {} looks at Cassandra's data files only, and the table has rows in RocksDB: run"
                + " curtail engine {} NODE {} (docs/engine/operate.md)",
            arguments[0],
            table,
            instead,
            table);
      }
    }
  }

  private boolean hasRows(String table) {
    return stores.memtables().stream()
        .anyMatch(memtable -> memtable.name().equals(table) && memtable.store().family() != null);
  }
}
