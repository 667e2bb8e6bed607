/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.curtail.campaign.Progress;
import io.curtail.lab.engine.EngineMemtables;
import io.curtail.lab.load.DriverTimeouts;
import io.curtail.lab.load.SchemaChange;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;

/** A lab whose nodes have the storage engine, and a table in it to try. */
final class EngineLab {
  static final String TABLE = "demo.emp";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ATTEMPTS = 4;

  private EngineLab() {}

  /** What the nodes' {@code cassandra.yaml} has for it. */
  static Map<String, Object> yaml() {
    return EngineMemtables.yaml(
        Map.of("block_cache", "64MiB", "write_buffers", "64MiB", "write_buffer", "16MiB"));
  }

  /**
   * Makes the table, and rows in it. On a busy machine a node takes long for its first table, and
   * what it did in time is no harm the second time.
   *
   * @param stopCommand what stops the lab
   * @throws IllegalStateException if the node does not do it
   */
  static void createTable(LabView lab, String stopCommand, Progress progress) {
    for (int attempt = 1; ; attempt++) {
      try (CqlSession session = connect(lab)) {
        createTable(session, lab.nodes().size());
        return;
      } catch (DriverException e) {
        if (attempt == ATTEMPTS || e instanceof QueryValidationException) {
          throw new IllegalStateException(
              "the lab is up, but the table %s could not be made: %s (%s, then start it again)"
                  .formatted(TABLE, e.getMessage(), stopCommand),
              e);
        }
        progress.report("it is not made yet, trying again: " + e.getMessage());
      }
    }
  }

  private static CqlSession connect(LabView lab) {
    String[] contact = lab.contactPoints().get(0).split(":", 2);
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(contact[0], Integer.parseInt(contact[1])))
        .withLocalDatacenter(lab.localDatacenter())
        .withConfigLoader(DriverTimeouts.all(PATIENCE).build())
        .build();
  }

  private static void createTable(CqlSession session, int nodes) {
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE IF NOT EXISTS demo WITH replication = {'class':"
            + " 'SimpleStrategy', 'replication_factor': "
            + Math.min(3, nodes)
            + "}");
    SchemaChange.execute(
        session,
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
