/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.time.Duration;

/**
 * Makes everything a node sends late: a bad network card, an overloaded host. With a network
 * namespace a node this holds for its answers to other nodes too; on loopback only for those to
 * clients that ask {@link Cluster#network()}, and so it ends with them.
 */
public final class SlowCoordinator implements Fault {
  private final Cluster cluster;
  private final LabNode node;

  private SlowCoordinator(Cluster cluster, LabNode node, Duration delay) throws IOException {
    this.cluster = cluster;
    this.node = node;
    cluster.network().delayEgress(node.address().getAddress(), delay);
  }

  /** Takes effect with the next message. */
  public static SlowCoordinator start(Cluster cluster, LabNode node, Duration delay)
      throws IOException {
    return new SlowCoordinator(cluster, node, delay);
  }

  @Override
  public void close() throws IOException {
    cluster.network().delayEgress(node.address().getAddress(), Duration.ZERO);
  }
}
