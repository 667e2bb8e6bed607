/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

/** A table as a user names it; that of an index has a dot in its own name. */
record TableName(String keyspace, String table) {
  /**
   * Reads {@code keyspace.table}.
   *
   * @throws IllegalArgumentException if there is no keyspace
   */
  static TableName parse(String name) {
    int dot = name.indexOf('.');
    if (dot < 1) {
      throw new IllegalArgumentException("name tables as keyspace.table, not " + name);
    }
    return new TableName(name.substring(0, dot), name.substring(dot + 1));
  }
}
