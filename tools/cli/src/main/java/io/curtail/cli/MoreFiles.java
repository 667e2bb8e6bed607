/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Option;

/** What is written beside a report if the user wants it. */
final class MoreFiles {
  @Option(names = "--figures", description = "Also write the figures as SVG files.")
  boolean figures;

  @Option(names = "--histograms", description = "Also write an HdrHistogram log of each run.")
  boolean histograms;
}
