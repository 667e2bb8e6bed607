/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.curtail.campaign.process.Polling;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * A change of the schema that every node knows when it returns. The driver asks only the node of
 * its control connection, which may not have heard of a change that another node made: then it
 * finds, wrongly, that all agree.
 */
public final class SchemaChange {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);

  private SchemaChange() {}

  /**
   * Executes the statement and waits until all nodes that the session reaches have one schema. Safe
   * to call from any thread.
   *
   * @throws IllegalStateException if they have not after three minutes, or the thread is
   *     interrupted
   */
  public static void execute(CqlSession session, String statement) {
    session.execute(SimpleStatement.newInstance(statement).setTimeout(TIMEOUT));
    awaitAgreement(session);
  }

  /**
   * Waits until all nodes that the session reaches have one schema.
   *
   * @throws IllegalStateException as {@link #execute}
   */
  public static void awaitAgreement(CqlSession session) {
    Polling.await(
        "the nodes agree on the schema",
        TIMEOUT,
        POLL,
        () -> agree(session),
        () -> "the nodes do not agree on the schema: waited for " + TIMEOUT.toMinutes() + " min");
  }

  private static boolean agree(CqlSession session) {
    if (!session.checkSchemaAgreement()) {
      return false;
    }
    Set<UUID> versions = new HashSet<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      if (node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED) {
        try {
          versions.add(version(session, node));
        } catch (DriverException e) {
          return false; // it goes down or comes up
        }
      }
    }
    return versions.size() <= 1;
  }

  private static UUID version(CqlSession session, Node node) {
    Row row =
        session
            .execute(
                SimpleStatement.newInstance("SELECT schema_version FROM system.local")
                    .setTimeout(TIMEOUT)
                    .setNode(node))
            .one();
    return row.getUuid("schema_version");
  }
}
