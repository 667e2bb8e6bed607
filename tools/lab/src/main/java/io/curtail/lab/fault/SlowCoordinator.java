/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;

/**
 * Makes everything a node sends late: a bad network card, an overloaded host. With a network
 * namespace a node this holds for its answers to other nodes too; on loopback only for those to
 * clients that ask {@link Cluster#network()}, and so it ends with them.
 */
public final class SlowCoordinator {
  private SlowCoordinator() {}

  /** Takes effect with the next message. */
  public static Fault start(Cluster cluster, LabNode node, Duration delay) throws IOException {
    InetAddress address = node.address().getAddress();
    cluster.network().delayEgress(address, delay);
    return () -> cluster.network().delayEgress(address, Duration.ZERO);
  }
}
