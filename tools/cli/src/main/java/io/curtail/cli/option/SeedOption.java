/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import picocli.CommandLine.Option;

/** Where random choices start. */
public final class SeedOption {
  private static final long RANDOM_SEEDS = 1_000_000_000;

  @Option(
      names = "--seed",
      description =
          "Where random choices start: the same seed, the same choices. Another each time where no"
              + " default is shown.")
  private Long seed;

  private SeedOption(Long seed) {
    this.seed = seed;
  }

  SeedOption() {
    this(1L);
  }

  /** Another one each time, unless the user gives one. */
  public static SeedOption random() {
    return new SeedOption(null);
  }

  /** What the user gave, or else 1, or a random one below a billion. */
  public long seed() {
    return seed != null ? seed : System.nanoTime() % RANDOM_SEEDS;
  }
}
