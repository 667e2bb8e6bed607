/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import java.util.List;

/**
 * Round-trip times between zones, in microseconds. The default is the table of Netflix's talk on
 * weighted least loaded balancing, which is not symmetric: what a client in {@code from} waits for
 * a node in {@code to} need not be what the other way round takes. Immutable.
 */
public final class ZoneLatencies {
  public static final ZoneLatencies TALK =
      new ZoneLatencies(
          new int[][] {
            {150, 800, 250},
            {800, 220, 850},
            {380, 700, 160}
          });

  /** No latency between any two zones. */
  public static final ZoneLatencies NONE = new ZoneLatencies(new int[3][3]);

  private static final List<String> ZONES = List.of("A", "B", "C");

  private final int[][] roundTripMicros;

  private ZoneLatencies(int[][] roundTripMicros) {
    this.roundTripMicros = roundTripMicros;
  }

  /** {@code A}, {@code B} and {@code C}. */
  public static List<String> zones() {
    return ZONES;
  }

  /** The name of a zone numbered from 0. */
  public static String zone(int index) {
    return ZONES.get(index);
  }

  /**
   * Returns what a message there and its answer take together.
   *
   * @throws IllegalArgumentException if a zone is not {@code A}, {@code B} or {@code C}
   */
  public int roundTripMicros(String from, String to) {
    return roundTripMicros[index(from)][index(to)];
  }

  /** What one of the two directions takes: half the round trip. */
  public long oneWayNanos(String from, String to) {
    return roundTripMicros(from, to) * 500L;
  }

  /** The same zones, so many times as far apart. */
  public ZoneLatencies times(int factor) {
    int[][] stretched = new int[ZONES.size()][ZONES.size()];
    for (int from = 0; from < stretched.length; from++) {
      for (int to = 0; to < stretched.length; to++) {
        stretched[from][to] = Math.multiplyExact(factor, roundTripMicros[from][to]);
      }
    }
    return new ZoneLatencies(stretched);
  }

  private static int index(String zone) {
    int index = ZONES.indexOf(zone);
    if (index < 0) {
      throw new IllegalArgumentException("zone: one of A, B and C, not \"" + zone + "\"");
    }
    return index;
  }
}
