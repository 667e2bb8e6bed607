/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

/**
 * An estimate and the interval that covers it with a confidence of 95 %.
 *
 * @param samples how many independent blocks it rests on
 */
public record Interval(double estimate, double low, double high, int samples) {
  /** Whether the value lies outside: the difference to it is larger than the noise. */
  public boolean excludes(double value) {
    return low > value || high < value;
  }
}
