/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.engine.trials.crash.CrashTables;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.load.DriverTimeouts;
import io.curtail.lab.load.SchemaChange;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The stock driver, whose requests are at QUORUM where nothing else is said. Thread-safe. */
final class ChaosSession implements AutoCloseable {
  /** The driver gives up after the nodes, so that their error is told. */
  static final Duration NODES_GIVE_UP = Duration.ofSeconds(10);

  private static final Duration GIVE_UP = Duration.ofSeconds(20);
  private static final Duration SCHEMA_GIVES_UP = Duration.ofSeconds(60);

  private final CqlSession session;
  private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

  /** Nodes that are up have schemas that differ, and would have them until one is started again. */
  static final class NoAgreement extends IllegalStateException {
    private static final long serialVersionUID = 1;

    NoAgreement(IllegalStateException cause) {
      super(cause.getMessage(), cause);
    }
  }

  ChaosSession(Cluster cluster) {
    session =
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withLocalDatacenter(cluster.localDatacenter())
            .withConfigLoader(
                DriverTimeouts.all(GIVE_UP)
                    .withString(
                        DefaultDriverOption.REQUEST_CONSISTENCY, ConsistencyLevel.QUORUM.name())
                    .withDuration(
                        DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
                    .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2))
                    .build())
            .build();
  }

  /**
   * Runs a statement that changes the schema or a whole table, when all nodes that are up agree on
   * the schema, and waits until they do again: two changes at once by two nodes are none of ours.
   *
   * @throws NoAgreement if they do not agree for minutes
   */
  void change(String statement) {
    awaitAgreement();
    session.execute(SimpleStatement.newInstance(statement).setTimeout(SCHEMA_GIVES_UP));
    awaitAgreement();
  }

  private void awaitAgreement() {
    try {
      SchemaChange.awaitAgreement(session);
    } catch (IllegalStateException e) {
      throw new NoAgreement(e);
    }
  }

  /** As applications do: with a statement that was prepared once, or with text each time. */
  void write(CrashTables.Operation operation, boolean isPrepared) {
    if (isPrepared) {
      session.execute(
          prepared
              .computeIfAbsent(operation.statement(), session::prepare)
              .bind(operation.values().toArray()));
    } else {
      session.execute(operation.text());
    }
  }

  /** Returns when each replica has answered. */
  void writeToAll(String statement) {
    session.execute(
        SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.ALL));
  }

  /** The rows as {@code name=value, ...}, as the trials of one node show them. */
  List<String> rows(String query) {
    return rows(SimpleStatement.newInstance(query));
  }

  /**
   * What one node alone has of rows that it is a replica of: it asks no other for them.
   *
   * @param address of the node
   */
  List<String> rows(InetSocketAddress address, String query) {
    Node node =
        session
            .getMetadata()
            .findNode(address)
            .orElseThrow(() -> new IllegalStateException("the driver does not know " + address));
    return rows(
        SimpleStatement.newInstance(query).setNode(node).setConsistencyLevel(ConsistencyLevel.ONE));
  }

  private List<String> rows(SimpleStatement query) {
    List<String> rows = new ArrayList<>();
    for (Row row : session.execute(query)) {
      List<String> columns = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        String value = String.valueOf(row.getObject(i));
        columns.add(
            row.getColumnDefinitions().get(i).getName()
                + "="
                + (row.getObject(i) instanceof Map ? value.replace("=", ": ") : value));
      }
      rows.add(String.join(", ", columns));
    }
    return rows;
  }

  @Override
  public void close() {
    session.close();
  }
}
