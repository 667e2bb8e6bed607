/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import picocli.CommandLine.Option;

/** How much heap a node has. */
public final class HeapOption {
  @Option(names = "--heap", paramLabel = "MIB", description = "Heap of each node, in MiB.")
  private int mebibytes;

  /** So many MiB unless the user says. */
  public HeapOption(int mebibytes) {
    this.mebibytes = mebibytes;
  }

  /** In MiB; who starts the nodes checks it. */
  public int mebibytes() {
    return mebibytes;
  }
}
