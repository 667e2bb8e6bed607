/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** The requests that an open loop will make, known beforehand: when, and for which row. */
public record Arrivals(List<Arrival> all) {
  /**
   * One request.
   *
   * @param nanos from the start of the load, its warm-up included
   * @param client that sends it, from 0
   */
  public record Arrival(long nanos, long row, boolean isRead, int client) {}

  /** How many of them read. */
  public long reads() {
    return all.stream().filter(Arrival::isRead).count();
  }

  /** Draws what the clients of the load will draw. */
  public static Arrivals of(LoadSpec spec, int clients) {
    List<Arrival> all = new ArrayList<>();
    long end = spec.warmUp().plus(spec.length()).toNanos();
    for (int client = 0; client < clients; client++) {
      SplittableRandom random = ClientRun.random(spec, client);
      SplittableRandom requests = random.split();
      PoissonArrivals gaps = new PoissonArrivals(spec.rateHz() / clients, random.split());
      for (long at = gaps.nextGapNanos(); at < end; at += gaps.nextGapNanos()) {
        Requests.Drawn drawn = Requests.draw(requests, spec.mix(), spec.keys());
        all.add(new Arrival(at, drawn.row(), drawn.isRead(), client));
      }
    }
    all.sort(Comparator.comparingLong(Arrival::nanos));
    return new Arrivals(List.copyOf(all));
  }
}
