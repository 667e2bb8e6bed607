/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

/** Moves of tables, in the words of a plan: {@code TABLE to MEMTABLE}. */
final class TableMoves {
  private TableMoves() {}

  static String table(String move) {
    return move.substring(0, move.indexOf(' '));
  }

  static String memtable(String move) {
    return move.substring(move.lastIndexOf(' ') + 1);
  }

  /** Has all nodes move a table; returns when they know that they shall. */
  static void alter(ChaosSession client, String move) {
    String kind = table(move).equals(Plan.VIEW) ? "MATERIALIZED VIEW" : "TABLE";
    client.change(
        "ALTER %s %s.%s WITH memtable = '%s'"
            .formatted(kind, Jmx.KEYSPACE, table(move), memtable(move)));
  }
}
