/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.List;

/** Places the values of an axis between 0 (its beginning) and 1 (its end). */
interface Scale {
  /** Where the value lies, clamped to 0..1. */
  double position(double value);

  /** The values to label, at round numbers and at most about as many as wanted. */
  List<Double> ticks(int wanted);
}
