/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.load.Mix;
import java.util.List;
import picocli.CommandLine.Option;

/** The share of reads, by the names of YCSB's workloads. */
final class MixOption {
  @Option(
      names = "--mix",
      split = ",",
      description =
          "YCSB's A (50 %% reads), B (95 %%) or C (100 %%), or W (0 %%); the scenario's own if not"
              + " given.")
  private List<Mix> mixes;

  /** What the user gave; empty for the scenario's own. */
  List<Mix> mixes() {
    return mixes == null ? List.of() : mixes;
  }
}
