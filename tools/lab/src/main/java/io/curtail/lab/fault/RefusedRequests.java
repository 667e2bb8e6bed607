/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import java.io.IOException;

/**
 * Makes a stock node answer nearly every request with {@code OverloadedException} at once: its own
 * limit of requests a second is set to 1 through JMX. Needs {@value #THROW} in the node's
 * configuration, without which it would answer late instead. It stays until it is closed, or the
 * node ends.
 */
public final class RefusedRequests implements Fault {
  /** The node's setting that makes it refuse. */
  public static final String THROW = "native_transport_throw_on_overload";

  private static final String LIMITED = "NativeTransportRateLimitingEnabled";
  private static final String LIMIT = "NativeTransportMaxRequestsPerSecond";

  private final LabNode node;
  private boolean closed;

  private RefusedRequests(LabNode node) throws IOException {
    this.node = node;
    set(LIMIT, 1);
    set(LIMITED, true);
  }

  /** Takes effect with the next request. */
  public static RefusedRequests start(LabNode node) throws IOException {
    return new RefusedRequests(node);
  }

  private void set(String name, Object value) throws IOException {
    try (NodeManagement management = new NodeManagement(node)) {
      management.setAttribute(NodeManagement.STORAGE_SERVICE, name, value);
    } catch (IllegalStateException e) {
      throw new IOException("node " + node.index() + " does not take " + name + ": " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      set(LIMITED, false);
    }
  }
}
