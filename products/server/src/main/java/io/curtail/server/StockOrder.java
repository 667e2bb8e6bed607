/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.function.Function;
import org.apache.cassandra.locator.IEndpointSnitch;

/**
 * The order of a stock node: Cassandra's dynamic snitch around the cluster's own. It runs only
 * while a mode uses it, and is made when the first does; the cluster's own snitch orders while it
 * does not run. Each time it starts, what it measured before the last seconds counts no more.
 * Thread-safe.
 */
final class StockOrder {
  private final IEndpointSnitch topology;
  private final Function<IEndpointSnitch, Cassandra50DynamicSnitch> wrap;
  private Cassandra50DynamicSnitch dynamic;
  private volatile Cassandra50DynamicSnitch running;

  /**
   * @param topology the cluster's own snitch
   * @param wrap makes a dynamic snitch around it, which runs
   */
  StockOrder(IEndpointSnitch topology, Function<IEndpointSnitch, Cassandra50DynamicSnitch> wrap) {
    this.topology = topology;
    this.wrap = wrap;
  }

  /** Starts or stops the dynamic snitch. */
  synchronized void run(boolean wanted) {
    if (wanted == isRunning()) {
      return;
    }
    if (!wanted) {
      running = null;
      dynamic.stop();
      return;
    }
    if (dynamic == null) {
      dynamic = wrap.apply(topology);
    } else {
      dynamic.start();
    }
    running = dynamic;
  }

  boolean isRunning() {
    return running != null;
  }

  /** Returns what orders replicas as a stock node would. */
  IEndpointSnitch snitch() {
    IEndpointSnitch snitch = running;
    return snitch == null ? topology : snitch;
  }
}
