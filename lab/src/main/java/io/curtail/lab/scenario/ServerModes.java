/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.PlugIns;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code curtail-server} in the nodes, switched between runs. Mode {@code off} is stock: the
 * dynamic snitch that the plug-in embeds is Cassandra's own class, asked as Cassandra would ask it.
 */
enum ServerModes implements Contenders {
  INSTANCE;

  /** As few as a node with one disk has, so that reads of a slow one queue. */
  private static final int CONCURRENT_READS = 4;

  @Override
  public String difference() {
    return "The clients are alike in all arms: sessions of the stock Java driver with its basic"
        + " policy, which knows the replicas of a key and neither racks nor latencies. The arms"
        + " differ in who orders the replicas of a read in the nodes; one live cluster is switched"
        + " between them. Each node has "
        + CONCURRENT_READS
        + " threads for reads, so that reads of a slow disk queue.";
  }

  @Override
  public void equip(ClusterSpec.Builder nodes) throws IOException {
    Path settings = Files.createTempFile("curtail", ".properties");
    settings.toFile().deleteOnExit();
    Files.writeString(settings, "delegate_snitch=GossipingPropertyFileSnitch\nmode=off\n");
    nodes
        .addClassPath(PlugIns.jar("server"))
        .addJvmOption("-Dcurtail.config=" + settings)
        .addYaml(
            Map.of(
                "endpoint_snitch",
                "io.curtail.server.CurtailSnitch",
                "dynamic_snitch",
                false,
                "concurrent_reads",
                CONCURRENT_READS));
  }

  @Override
  public int count(Settings settings) {
    return settings.serverModes().size();
  }

  @Override
  public List<Arm> arms(Testbed testbed, Settings settings) {
    List<ZoneClient> clients = testbed.arm(Policy.STOCK_BASIC).clients();
    Set<String> settingsOfAny = new TreeSet<>();
    settings.serverModes().forEach(mode -> settingsOfAny.addAll(mode.settings().keySet()));
    List<Arm> arms = new ArrayList<>();
    for (ServerMode mode : settings.serverModes()) {
      arms.add(new ModeArm(mode, settingsOfAny, testbed.session(), clients));
    }
    return arms;
  }

  /** Session and clients belong to the testbed. */
  private record ModeArm(
      ServerMode mode, Set<String> settingsOfAny, CqlSession session, List<ZoneClient> clients)
      implements Arm {
    @Override
    public String name() {
      return mode.name();
    }

    /** A setting that only another arm has goes back to its default. */
    @Override
    public void activate() {
      for (Node node : session.getMetadata().getNodes().values()) {
        for (String setting : settingsOfAny) {
          String value = mode.settings().get(setting);
          set(node, setting, value == null ? defaultOf(node, setting) : value);
        }
        requireInForce(node);
      }
    }

    private String defaultOf(Node node, String setting) {
      Row row =
          ask(node, "SELECT default_value FROM curtail.settings WHERE name = '" + setting + "'");
      if (row == null) {
        throw new IllegalArgumentException("server: no such setting: " + setting);
      }
      return row.getString("default_value");
    }

    private void set(Node node, String setting, String value) {
      if (ask(node, "SELECT value FROM curtail.settings WHERE name = '" + setting + "'") == null) {
        throw new IllegalArgumentException("server: no such setting: " + setting);
      }
      ask(
          node,
          "UPDATE curtail.settings SET value = '" + value + "' WHERE name = '" + setting + "'");
    }

    private void requireInForce(Node node) {
      String wanted = mode.settings().get("mode");
      String inForce =
          ask(node, "SELECT value FROM curtail.server_load WHERE name = 'mode'").getString("value");
      if (!wanted.equals(inForce)) {
        String problem =
            ask(node, "SELECT value FROM curtail.server_load WHERE name = 'problem'")
                .getString("value");
        throw new IllegalStateException(
            "node %s is in mode %s, not %s: %s"
                .formatted(node.getEndPoint(), inForce, wanted, problem));
      }
    }

    /** The first row of the answer, null if there is none. */
    private Row ask(Node node, String query) {
      return session.execute(SimpleStatement.newInstance(query).setNode(node)).one();
    }

    @Override
    public void close() {}
  }
}
