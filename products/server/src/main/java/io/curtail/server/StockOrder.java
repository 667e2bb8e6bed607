/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.function.Function;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;

/**
 * The order of a stock node: Cassandra's dynamic snitch around the cluster's own. It runs only
 * while a mode uses it, and starts each time with nothing measured, as on a node that has just
 * started; the cluster's own snitch orders while it does not run. Thread-safe.
 */
final class StockOrder {
  private final IEndpointSnitch topology;
  private final Function<IEndpointSnitch, DynamicEndpointSnitch> wrap;
  private volatile DynamicEndpointSnitch running;

  /**
   * @param topology the cluster's own snitch
   * @param wrap makes a dynamic snitch around it
   */
  StockOrder(IEndpointSnitch topology, Function<IEndpointSnitch, DynamicEndpointSnitch> wrap) {
    this.topology = topology;
    this.wrap = wrap;
  }

  /** Starts or stops the dynamic snitch. */
  synchronized void run(boolean wanted) {
    DynamicEndpointSnitch before = running;
    if (wanted && before == null) {
      running = wrap.apply(topology);
    } else if (!wanted && before != null) {
      running = null;
      before.close();
    }
  }

  boolean isRunning() {
    return running != null;
  }

  /** Returns what orders replicas as a stock node would. */
  IEndpointSnitch snitch() {
    IEndpointSnitch dynamic = running;
    return dynamic == null ? topology : dynamic;
  }
}
