/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.process.Polling;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.load.ZoneClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A setting of the plug-in in all nodes of a testbed, to which session and clients belong.
 *
 * @param settingsOfAnyArm go back to their defaults where this arm does not have them
 * @param exchangesSnitch whether some arm takes the snitch out of the nodes
 */
record ServerModeArm(
    ServerMode mode,
    Set<String> settingsOfAnyArm,
    boolean exchangesSnitch,
    Testbed testbed,
    List<ZoneClient> clients)
    implements Arm {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(100);

  @Override
  public String name() {
    return mode.name();
  }

  @Override
  public void activate() {
    boolean stock = mode.equals(ServerMode.DYNAMIC_SNITCH);
    if (exchangesSnitch) {
      for (LabNode node : testbed.cluster().nodes()) {
        exchangeSnitch(node, stock);
      }
    }
    if (!stock) {
      for (CqlSession session : testbed.sessions()) {
        for (Node node : session.getMetadata().getNodes().values()) {
          if (node.getDistance() != NodeDistance.IGNORED) {
            switchOver(new Connection(session, node));
          }
        }
      }
    }
  }

  private void exchangeSnitch(LabNode node, boolean stock) {
    String snitch = stock ? PlugIn.TOPOLOGY : PlugIn.SNITCH;
    try {
      testbed.management(node).updateSnitch(snitch, stock);
    } catch (IOException | IllegalStateException e) {
      throw new IllegalStateException(
          "node " + node.index() + " does not take the snitch " + snitch + ": " + e, e);
    }
  }

  /** A node and who can ask it. */
  private record Connection(CqlSession session, Node node) {
    /** The first row of the answer, null if there is none. */
    Row ask(String query) {
      return session.execute(SimpleStatement.newInstance(query).setNode(node)).one();
    }
  }

  private void switchOver(Connection node) {
    for (String setting : settingsOfAnyArm) {
      set(node, setting);
    }
    awaitInForce(node);
  }

  private void set(Connection node, String setting) {
    String where = " WHERE name = '" + setting + "'";
    Row row = node.ask("SELECT default_value FROM curtail.settings" + where);
    if (row == null) {
      throw new IllegalArgumentException("server: no such setting: " + setting);
    }
    String value = mode.settings().getOrDefault(setting, row.getString("default_value"));
    node.ask("UPDATE curtail.settings SET value = '" + value + "'" + where);
  }

  /** A node that has just been given its snitch back notices within a second. */
  private void awaitInForce(Connection node) {
    String wanted = mode.settings().get("mode");
    Polling.await(
        "a mode was switched",
        TIMEOUT,
        POLL,
        () -> wanted.equals(load(node, "mode")),
        () ->
            "node %s is in mode %s, not %s: %s"
                .formatted(
                    node.node().getEndPoint(), load(node, "mode"), wanted, load(node, "problem")));
  }

  private String load(Connection node, String name) {
    return node.ask("SELECT value FROM curtail.server_load WHERE name = '" + name + "'")
        .getString("value");
  }
}
