/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The network of a lab: how long messages take between zones, and which node answers late. Starts
 * without any delay. Implementations are thread-safe.
 *
 * <p>Where the packets themselves cannot be held back (no root), a client must do it: each
 * connection adds what {@link #toNodeNanos} and {@link #toClientNanos} say, and asks again for each
 * message, because faults come and go. Where they can, both are zero.
 */
public interface ZoneNetwork {

  /** Makes messages between zones take this long from now on. */
  void use(ZoneLatencies latencies) throws IOException;

  /**
   * Delays everything that a node sends; zero ends it. On loopback only what it sends to clients.
   */
  void delayEgress(InetAddress node, Duration delay) throws IOException;

  /** What a client in a zone must add to each request to a node, in nanoseconds. */
  long toNodeNanos(String clientZone, InetAddress node);

  /** What a client in a zone must add to each response of a node, in nanoseconds. */
  long toClientNanos(String clientZone, InetAddress node);

  /** Put before a command, runs it where a node (from 1) lives; empty if that is everywhere. */
  List<String> commandPrefix(int nodeIndex);

  /** Gives back what the network took from the machine. */
  void destroy() throws IOException;
}
