/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import picocli.CommandLine.Option;

/** What is written beside a report if the user wants it. */
public final class MoreFiles {
  @Option(names = "--figures", description = "Also write the figures as SVG files.")
  private boolean figures;

  @Option(names = "--histograms", description = "Also write an HdrHistogram log of each run.")
  private boolean histograms;

  boolean hasFigures() {
    return figures;
  }

  /** Whether the user wants a log of each run's latencies. */
  public boolean hasHistograms() {
    return histograms;
  }
}
