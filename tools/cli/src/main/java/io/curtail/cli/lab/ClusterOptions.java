/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.Networking;
import picocli.CommandLine.Option;

/** How the nodes of a lab are run. */
final class ClusterOptions {
  @Option(
      names = "--jit",
      description =
          "How far the nodes' compiler goes: C2 as in production, or C1, which is steady after a"
              + " shorter warm-up.")
  private Jit jit;

  @Option(
      names = "--network",
      defaultValue = "LOOPBACK",
      description =
          "LOOPBACK needs no privilege; NAMESPACES gives the packets between nodes the latency of"
              + " their zones and needs root.")
  private Networking networking;

  ClusterOptions(Jit jit) {
    this.jit = jit;
  }

  Jit jit() {
    return jit;
  }

  Networking networking() {
    return networking;
  }
}
