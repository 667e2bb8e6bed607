/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Cassandra's dynamic snitch, which can be stopped. Its timers can be cancelled, but nobody can
 * unsubscribe from latencies, so what is stopped ignores them. Thread-safe.
 */
final class Cassandra50DynamicSnitch extends DynamicEndpointSnitch {
  private volatile boolean stopped;

  Cassandra50DynamicSnitch(IEndpointSnitch topology) {
    super(topology, "curtail");
  }

  @Override
  public void receiveTiming(InetAddressAndPort host, long latency, TimeUnit unit) {
    if (!stopped) {
      super.receiveTiming(host, latency, unit);
    }
  }

  @Override
  public void updateScores() {
    if (!stopped) {
      super.updateScores();
    }
  }

  @Override
  public void close() {
    stopped = true;
    if (DatabaseDescriptor.isDaemonInitialized()) {
      super.close(); // without a daemon it has neither timers nor an MBean
    }
  }
}
