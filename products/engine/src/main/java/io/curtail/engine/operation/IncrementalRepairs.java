/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import static org.apache.cassandra.repair.consistent.LocalSessionInfo.SESSION_ID;
import static org.apache.cassandra.repair.consistent.LocalSessionInfo.STATE;
import static org.apache.cassandra.repair.consistent.LocalSessionInfo.TABLES;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.repair.consistent.ConsistentSession;
import org.apache.cassandra.repair.consistent.LocalSessions;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.utils.TimeUUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses repairs that go by what is marked as repaired, which rows in RocksDB are not: each would
 * stream all of them again to replicas with data files, and call the same rows different. Full
 * repairs, and full previews, are right.
 *
 * <p>Who begins one at this node hears why: {@link #refuse}. Of one that another node began {@link
 * #fail} fails this node's part before anything is done, which ends it there.
 */
public final class IncrementalRepairs {
  private static final Logger logger = LoggerFactory.getLogger(IncrementalRepairs.class);

  /** Of {@code RepairCoordinator.notifyStarting}, with {@code RepairOption.toString}. */
  private static final Pattern BEGINNING =
      Pattern.compile(
          "Starting repair command #.* repairing keyspace (?<keyspace>\\w+) with repair options"
              + " .*incremental: (?<incremental>\\w+),.* ColumnFamilies: \\[(?<tables>[^]]*)],.*"
              + " previewKind: (?<preview>\\w+),.*",
          Pattern.DOTALL);

  /** Previews that compare by the mark. */
  private static final Set<String> BY_MARK = Set.of("UNREPAIRED", "REPAIRED");

  private static final String WHY =
      " have rows in RocksDB, which are not marked as repaired: run nodetool repair --full"
          + " (with --preview to compare only), or name the other tables of the keyspace";

  private IncrementalRepairs() {}

  /**
   * Looks at what Cassandra logs when it begins a repair.
   *
   * @param stored the tables of a keyspace that have rows in RocksDB, among those named; all for
   *     none
   * @throws AssertionError that ends the repair, as Logback hands nothing else to who logs
   */
  static void refuse(String line, Stored stored) {
    Matcher repair = BEGINNING.matcher(line);
    if (!repair.matches()
        || !(Boolean.parseBoolean(repair.group("incremental"))
            || BY_MARK.contains(repair.group("preview")))) {
      return;
    }
    List<String> names =
        repair.group("tables").isEmpty()
            ? List.of()
            : Arrays.asList(repair.group("tables").split(", ", -1));
    List<String> tables = stored.of(repair.group("keyspace"), names);
    if (!tables.isEmpty()) {
      throw new AssertionError(tables + WHY);
    }
  }

  /** Knows which tables have rows in RocksDB. */
  interface Stored {
    /** Those of a keyspace, among some by name; among all if none is named. */
    List<String> of(String keyspace, List<String> names);
  }

  /**
   * A table is asked for its rows by an incremental repair.
   *
   * @return false: there is nothing to flush
   */
  public static boolean fail(String table) {
    LocalSessions sessions = ActiveRepairService.instance().consistent.local;
    for (Map<String, String> session : sessions.sessionInfo(false, Set.of())) {
      if (ConsistentSession.State.PREPARING.name().equals(session.get(STATE))
          && Arrays.asList(session.get(TABLES).split(",", -1)).contains(table)) {
        logger.warn("the incremental repair {} fails: [{}]{}", session.get(SESSION_ID), table, WHY);
        sessions.failSession(TimeUUID.fromString(session.get(SESSION_ID)));
      }
    }
    return false;
  }
}
