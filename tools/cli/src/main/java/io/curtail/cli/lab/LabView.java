/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeState;
import io.curtail.report.Table;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A lab as people and machines want to read it. */
record LabView(
    String name,
    String cassandraVersion,
    String directory,
    String network,
    String localDatacenter,
    List<String> contactPoints,
    List<Node> nodes) {
  private static final long CPU_SAMPLE_MILLIS = 500;

  /** CPU in per cent of one processor. */
  record Node(
      int index,
      String zone,
      String rack,
      String address,
      long pid,
      NodeState state,
      long residentMebibytes,
      double cpuPercent,
      double cpuSeconds,
      String log) {}

  /**
   * Takes half a second, in which it measures the nodes' use of CPU. Nodes that have not been
   * started yet are left out.
   */
  static LabView of(Cluster cluster) {
    List<LabNode> started = cluster.nodes().stream().filter(LabNode::isStarted).toList();
    List<Long> before = started.stream().map(LabNode::cpuNanos).toList();
    long start = System.nanoTime();
    try {
      Thread.sleep(CPU_SAMPLE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      LabNode node = started.get(i);
      long used = Math.max(0, node.cpuNanos() - before.get(i));
      nodes.add(view(node, 100.0 * used / (System.nanoTime() - start)));
    }
    return new LabView(
        cluster.name(),
        cluster.cassandraVersion(),
        cluster.directory().toString(),
        cluster.networking().name().toLowerCase(Locale.ROOT),
        cluster.localDatacenter(),
        cluster.contactPoints().stream().map(LabView::text).toList(),
        nodes);
  }

  private static Node view(LabNode node, double cpuPercent) {
    return new Node(
        node.index(),
        node.zone(),
        node.rack(),
        text(node.address()),
        node.pid(),
        node.state(),
        node.residentBytes() >> 20,
        Math.round(10 * cpuPercent) / 10.0,
        node.cpuNanos() / 1e9,
        node.logFile().toString());
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  String toText() {
    Table table =
        new Table(4, "node", "zone", "address", "state", "pid", "memory MiB", "CPU %", "CPU s");
    for (Node node : nodes) {
      table.row(
          Integer.toString(node.index),
          node.zone,
          node.address,
          node.state.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          Long.toString(node.pid),
          Long.toString(node.residentMebibytes),
          String.format(Locale.ROOT, "%.1f", node.cpuPercent),
          String.format(Locale.ROOT, "%.1f", node.cpuSeconds));
    }
    return "lab %s: Cassandra %s, %s network, in %s%n%s"
        .formatted(name, cassandraVersion, network, directory, table.toText());
  }
}
