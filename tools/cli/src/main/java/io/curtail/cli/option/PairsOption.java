/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** How often what is compared is measured side by side. */
public final class PairsOption {
  @Option(
      names = "--pairs",
      description =
          "How often each is measured, in turns with what it is compared with; the scenario's own"
              + " number where no default is shown.")
  private Integer pairs;

  /** As many as the command finds right, unless the user gives a number. */
  public PairsOption() {}

  /** As many as given here, unless the user gives a number. */
  public PairsOption(int pairs) {
    this.pairs = pairs;
  }

  /**
   * Returns what the user gave or the default, if there is one.
   *
   * @throws IllegalArgumentException unless it is from 1 to 1,000
   */
  public OptionalInt ifGiven() {
    return pairs == null
        ? OptionalInt.empty()
        : OptionalInt.of(Range.check("--pairs", pairs, 1, 1_000));
  }

  /**
   * The same of a command that has a default.
   *
   * @throws IllegalArgumentException unless it is from 1 to 1,000
   */
  public int pairs() {
    return ifGiven().orElseThrow();
  }
}
