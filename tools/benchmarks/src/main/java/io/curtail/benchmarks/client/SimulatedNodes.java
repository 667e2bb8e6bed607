/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.client;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;

import com.datastax.oss.simulacron.common.cluster.ClusterSpec;
import com.datastax.oss.simulacron.common.cluster.DataCenterSpec;
import com.datastax.oss.simulacron.server.BoundCluster;
import com.datastax.oss.simulacron.server.Inet4Resolver;
import com.datastax.oss.simulacron.server.Server;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a process that plays a cluster with Simulacron, on loopback addresses, until
 * its standard input ends: so it also ends when its parent dies.
 */
final class SimulatedNodes {
  static final String DATACENTER = "dc1";
  static final String QUERY = "SELECT v FROM bench";
  static final String READY = "ready";
  static final int PORT = 9042;

  private static final byte[] FIRST_ADDRESS = {127, 78, 0, 1};

  private SimulatedNodes() {}

  static String firstAddress() {
    return "127.78.0.1";
  }

  public static void main(String[] arguments) throws IOException {
    int nodes = Integer.parseInt(arguments[0]);
    try (Server server =
        Server.builder()
            .withAddressResolver(new Inet4Resolver(FIRST_ADDRESS, PORT))
            .withBindTimeout(30, TimeUnit.SECONDS)
            .withActivityLoggingEnabled(false)
            .build()) {
      ClusterSpec spec = ClusterSpec.builder().build();
      DataCenterSpec datacenter = spec.addDataCenter().withName(DATACENTER).build();
      for (int i = 0; i < nodes; i++) {
        datacenter.addNode().withPeerInfo("rack", "rack" + (1 + i % 3)).build();
      }
      BoundCluster cluster = server.register(spec);
      cluster.prime(when(QUERY).then(noRows()));
      System.out.println(READY);
      while (System.in.read() >= 0) {
        // until the parent closes it
      }
    }
  }
}
