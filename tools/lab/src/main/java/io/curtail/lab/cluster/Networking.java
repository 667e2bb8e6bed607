/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

/** What the packets between the nodes, and from clients to them, travel through. */
public enum Networking {
  /** The loopback interface: needs no privilege, has no latency of its own. */
  LOOPBACK,
  /**
   * A network namespace a node, joined by a router that delays each packet by the latency between
   * the zones. Needs root, {@code ip}, {@code iptables} and {@code gcc}. Clients stay where they
   * are: the nodes' loopback addresses are routed to them.
   */
  NAMESPACES
}
