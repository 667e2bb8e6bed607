/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.List;

/** Every rate control by name. */
public final class RateControls {
  public static final String CUBIC = "cubic";
  public static final String AIMD = "aimd";
  public static final String GRADIENT = "gradient";
  public static final String IN_FLIGHT = "in-flight-limit";
  public static final String NONE = "none";

  private static final int IN_FLIGHT_LIMIT = 8;

  private RateControls() {}

  /** Returns the names, in the order in which to list them. */
  public static List<String> names() {
    return List.of(CUBIC, AIMD, GRADIENT, IN_FLIGHT, NONE);
  }

  /**
   * Returns a new control for one client and server; null for {@link #NONE}.
   *
   * @throws IllegalArgumentException if there is none of that name; the message names all
   */
  public static RateControl create(String name, CubicSettings settings, long nowNanos) {
    switch (name) {
      case CUBIC:
        return new CubicRateControl(settings, nowNanos);
      case AIMD:
        return new AimdRateControl(settings, nowNanos);
      case GRADIENT:
        return new GradientLimit(IN_FLIGHT_LIMIT);
      case IN_FLIGHT:
        return new InFlightLimit(IN_FLIGHT_LIMIT);
      case NONE:
        return null;
      default:
        throw new IllegalArgumentException(
            "there is no rate control '" + name + "'; there are " + String.join(", ", names()));
    }
  }
}
