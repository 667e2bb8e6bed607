/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.RandomSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** How much work reads are: multiples of the mean service time, with mean 1. */
enum Sizes {
  EXPONENTIAL(random -> 1, random -> -Math.log(1 - random.nextDouble())),
  DETERMINISTIC(random -> 1, random -> 1),
  /** Pareto with shape 2.2: the read itself is large, wherever it is served. */
  PARETO(random -> pareto(random, 2.2), random -> 1),
  /** One read in twenty is ten times the others. */
  BIMODAL(random -> (random.nextInt(20) == 0 ? 10 : 1) / 1.45, random -> 1);

  static final List<String> NAMES =
      Arrays.stream(values()).map(sizes -> sizes.name().toLowerCase(Locale.ROOT)).toList();

  @SuppressWarnings("ImmutableEnumChecker") // functions of their argument alone
  private final ToDoubleFunction<RandomSource> ofRead;

  @SuppressWarnings("ImmutableEnumChecker")
  private final ToDoubleFunction<RandomSource> ofService;

  Sizes(ToDoubleFunction<RandomSource> ofRead, ToDoubleFunction<RandomSource> ofService) {
    this.ofRead = ofRead;
    this.ofService = ofService;
  }

  static Sizes named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Draws the part that is the read's, the same at every replica. */
  double readFactor(RandomSource random) {
    return ofRead.applyAsDouble(random);
  }

  /** Draws the part that is the server's. */
  double serviceFactor(RandomSource random) {
    return ofService.applyAsDouble(random);
  }

  private static double pareto(RandomSource random, double shape) {
    double scale = (shape - 1) / shape;
    return scale * Math.pow(1 - random.nextDouble(), -1 / shape);
  }
}
