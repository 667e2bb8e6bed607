/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.RandomSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How much work reads are: multiples of the mean service time, with mean 1. */
enum Sizes {
  EXPONENTIAL {
    @Override
    double readFactor(RandomSource random) {
      return 1;
    }

    @Override
    double serviceFactor(RandomSource random) {
      return -Math.log(1 - random.nextDouble());
    }
  },
  DETERMINISTIC {
    @Override
    double readFactor(RandomSource random) {
      return 1;
    }

    @Override
    double serviceFactor(RandomSource random) {
      return 1;
    }
  },
  /** Pareto with shape 2.2: the read itself is large, wherever it is served. */
  PARETO {
    private static final double SHAPE = 2.2;

    @Override
    double readFactor(RandomSource random) {
      double scale = (SHAPE - 1) / SHAPE;
      return scale * Math.pow(1 - random.nextDouble(), -1 / SHAPE);
    }

    @Override
    double serviceFactor(RandomSource random) {
      return 1;
    }
  },
  /** One read in twenty is ten times the others. */
  BIMODAL {
    @Override
    double readFactor(RandomSource random) {
      return (random.nextInt(20) == 0 ? 10 : 1) / 1.45;
    }

    @Override
    double serviceFactor(RandomSource random) {
      return 1;
    }
  };

  static final List<String> NAMES =
      Arrays.stream(values()).map(sizes -> sizes.name().toLowerCase(Locale.ROOT)).toList();

  static Sizes named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Draws the part that is the read's, the same at every replica. */
  abstract double readFactor(RandomSource random);

  /** Draws the part that is the server's. */
  abstract double serviceFactor(RandomSource random);
}
