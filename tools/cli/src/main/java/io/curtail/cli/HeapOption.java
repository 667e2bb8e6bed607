/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Option;

/** How much heap a node has. */
final class HeapOption {
  @Option(names = "--heap", paramLabel = "MIB", description = "Heap of each node, in MiB.")
  private int mebibytes;

  HeapOption(int mebibytes) {
    this.mebibytes = mebibytes;
  }

  int mebibytes() {
    return mebibytes;
  }
}
