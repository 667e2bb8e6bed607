/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import io.curtail.selection.weighted.HealthSettings;
import io.curtail.selection.weighted.StartingRamp;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/** Nodes of the driver that no connection was made to, with a load that the test sets. */
final class Nodes {
  private static final DefaultDriverContext CONTEXT =
      new DefaultDriverContext(
          DriverConfigLoader.programmaticBuilder().build(),
          ProgrammaticArguments.builder().build());

  private Nodes() {}

  static Node unconnected(int index) {
    return new DefaultNode(endPoint(index), CONTEXT);
  }

  private static DefaultEndPoint endPoint(int index) {
    return new DefaultEndPoint(InetSocketAddress.createUnresolved("node" + index, 9042));
  }

  /** Idle nodes; every third is in the local rack. */
  static List<Loaded> idle(int count) {
    List<Loaded> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new Loaded(unconnected(i), i % 3 == 0, StartingRamp.NONE));
    }
    return nodes;
  }

  /** Idle nodes of the local rack. */
  static List<Loaded> sameRack(int count) {
    List<Loaded> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new Loaded(unconnected(i), true, StartingRamp.NONE));
    }
    return nodes;
  }

  /** Each node's latest answers took so many milliseconds. */
  static void answeredAfter(List<Loaded> nodes, long nowNanos, int... milliseconds) {
    for (int i = 0; i < milliseconds.length; i++) {
      nodes.get(i).delay.sent(nowNanos);
      nodes.get(i).delay.answered(milliseconds[i] * 1_000_000L);
    }
  }

  static void fail(Loaded node, long nowNanos) {
    for (int i = 0; i < 5; i++) {
      node.health.failed(nowNanos);
    }
  }

  /** Idle nodes in these racks; the client is in the first one's. */
  static List<Loaded> inRacks(String... racks) {
    List<Loaded> nodes = new ArrayList<>();
    for (String rack : racks) {
      Node node = new RackedNode(rack, nodes.size());
      nodes.add(new Loaded(node, rack.equals(racks[0]), StartingRamp.NONE));
    }
    return nodes;
  }

  static LocalNodes local(List<Loaded> nodes) {
    return new LocalNodes(List.copyOf(nodes));
  }

  static Set<Node> replicas(List<Loaded> nodes, int... indexes) {
    Set<Node> replicas = new LinkedHashSet<>();
    for (int index : indexes) {
      replicas.add(nodes.get(index).node);
    }
    return replicas;
  }

  static List<Node> nodesOf(List<Loaded> nodes) {
    return nodes.stream().map(node -> node.node).collect(Collectors.toList());
  }

  /** The whole plan, which says of itself what it gives. */
  static List<Node> drain(Queue<Node> plan) {
    List<Node> announced = new ArrayList<>();
    plan.iterator().forEachRemaining(announced::add);
    int size = plan.size();
    List<Node> polled = new ArrayList<>();
    for (Node node = plan.poll(); node != null; node = plan.poll()) {
      polled.add(node);
    }
    assertThat(announced).isEqualTo(polled).hasSize(size);
    assertThat(plan.size()).isZero();
    assertThat(plan.poll()).isNull();
    return polled;
  }

  /** Of which the driver would have heard its rack from a node. */
  private static final class RackedNode extends DefaultNode {
    private static final long serialVersionUID = 1;

    private final String rack;

    RackedNode(String rack, int index) {
      super(endPoint(index), CONTEXT);
      this.rack = rack;
    }

    @Override
    public String getRack() {
      return rack;
    }
  }

  /** A tracked node whose requests in flight are a field instead of a connection pool's. */
  static final class Loaded extends TrackedNode {
    int inFlight;
    boolean isConnected = true;
    boolean isFull;

    Loaded(Node node, boolean inLocalRack, StartingRamp ramp) {
      super(node, inLocalRack, HealthSettings.DEFAULT, ramp);
    }

    @Override
    int inFlight(Map<Node, ChannelPool> pools) {
      return inFlight;
    }

    @Override
    boolean isConnected(Map<Node, ChannelPool> pools) {
      return isConnected;
    }

    @Override
    boolean isFull(Map<Node, ChannelPool> pools) {
      return isFull;
    }

    @Override
    boolean cannotSend() {
      return isFull;
    }

    @Override
    int lastKnownInFlight() {
      return inFlight;
    }

    Loaded withInFlight(int requests) {
      inFlight = requests;
      return this;
    }
  }
}
