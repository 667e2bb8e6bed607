/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** How long each run is. */
public final class SecondsOption {
  @Option(
      names = "--seconds",
      description =
          "Length of each run; in small-faults of each step, one more than there are delays; of soak"
              + " the whole; in paused-node as many whole pauses as fit, at least one. Where no"
              + " default is shown, that of the scenario or command.")
  private Integer seconds;

  /** As long as the command finds right, unless the user says. */
  public SecondsOption() {}

  /** As long as given here, unless the user says. */
  public SecondsOption(int seconds) {
    this.seconds = seconds;
  }

  /**
   * Returns what the user gave or the default, if there is one.
   *
   * @throws IllegalArgumentException unless it is from 1 second to a day
   */
  public OptionalInt ifGiven() {
    return seconds == null
        ? OptionalInt.empty()
        : OptionalInt.of(Range.check("--seconds", seconds, 1, 86_400));
  }

  /**
   * The same of a command that has a default.
   *
   * @throws IllegalArgumentException unless it is from 1 second to a day
   */
  public int seconds() {
    return ifGiven().orElseThrow();
  }
}
