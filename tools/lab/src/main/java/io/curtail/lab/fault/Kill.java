/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import java.io.IOException;

/**
 * Ends a node's process with SIGKILL; closing starts it again and waits until the ring is whole. If
 * this process dies meanwhile, the node stays dead.
 */
public final class Kill implements Fault {
  private final LabNode node;
  private boolean closed;

  private Kill(LabNode node) throws IOException {
    this.node = node;
    node.kill();
  }

  /** Returns when the process is gone. */
  public static Kill start(LabNode node) throws IOException {
    return new Kill(node);
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      node.restart();
    }
  }
}
