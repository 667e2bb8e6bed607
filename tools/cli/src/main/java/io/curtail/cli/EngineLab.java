/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.InetSocketAddress;
import java.util.Map;

/** A lab whose nodes have the storage engine, and a table in it to try. */
final class EngineLab {
  static final String TABLE = "demo.emp";

  private EngineLab() {}

  /** The {@code memtable} setting of {@code cassandra.yaml}. */
  static Map<String, Object> memtable() {
    return Map.of(
        "configurations",
        Map.of(
            "trie", Map.of("class_name", "TrieMemtable"),
            "default", Map.of("inherits", "trie"),
            "rocksdb",
                Map.of(
                    "class_name",
                    "io.curtail.engine.RocksMemtable",
                    "parameters",
                    Map.of(
                        "block_cache",
                        "64MiB",
                        "write_buffers",
                        "64MiB",
                        "write_buffer",
                        "16MiB"))));
  }

  /** Makes the table, and rows in it. */
  static void createTable(LabView lab) {
    String[] contact = lab.contactPoints().get(0).split(":", 2);
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(contact[0], Integer.parseInt(contact[1])))
            .withLocalDatacenter(lab.localDatacenter())
            .build()) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS demo WITH replication = {'class':"
              + " 'SimpleStrategy', 'replication_factor': "
              + Math.min(3, lab.nodes().size())
              + "}");
      session.execute(
          "CREATE TABLE IF NOT EXISTS demo.emp (emp_uname text PRIMARY KEY, emp_first text,"
              + " emp_last text, emp_dept text) WITH memtable = 'rocksdb'");
      for (String row : new String[] {"'ada', 'Ada', 'Lovelace'", "'alan', 'Alan', 'Turing'"}) {
        session.execute(
            "INSERT INTO demo.emp (emp_uname, emp_first, emp_last, emp_dept) VALUES ("
                + row
                + ", 'engines')");
      }
    }
  }
}
