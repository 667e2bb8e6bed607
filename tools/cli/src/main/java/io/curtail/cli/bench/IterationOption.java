/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.cli.option.Range;
import picocli.CommandLine.Option;

/** How long an iteration of a microbenchmark is. */
final class IterationOption {
  @Option(
      names = "--iteration-millis",
      description = "Length of an iteration; each cell has about ten.")
  private int millis = 500;

  int millis() {
    return Range.check("--iteration-millis", millis, 10, 60_000);
  }
}
