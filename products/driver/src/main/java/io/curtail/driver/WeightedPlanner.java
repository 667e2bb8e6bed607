/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import io.curtail.selection.weighted.StartingRamp;
import io.curtail.selection.weighted.WeightedLeastLoaded;
import io.curtail.selection.weighted.Weights;
import java.util.function.LongSupplier;

/** Orders nodes as {@link WeightedLeastLoaded} does. Stateless but for its settings. */
final class WeightedPlanner extends Planner {
  private final Weights weights;
  private final WeightedLeastLoaded formula;

  WeightedPlanner(WeightedSettings settings, LongSupplier nanoClock) {
    super(settings, nanoClock);
    this.weights = settings.weights;
    this.formula = new WeightedLeastLoaded(settings.weights);
  }

  /** A replica's requests in flight alone do not tell whether others are better. */
  @Override
  int firstLook(LocalNodes local, int replicas) {
    return Integer.MAX_VALUE;
  }

  /** Reads the clock at most once, and not while no candidate is busy, failing or starting. */
  @Override
  long toKeys(TrackedNode[] candidates, int[] keys, int from, int replicaCount, int seed) {
    int random = seed;
    long now = 0;
    boolean clockRead = false;
    for (int i = from; i < keys.length; i++) {
      TrackedNode candidate = candidates[i];
      StartingRamp ramp = candidate.ramp;
      int inFlight = keys[i];
      if (!clockRead && WeightedLeastLoaded.needsClock(inFlight, candidate.health, ramp)) {
        now = now();
        clockRead = true;
      }
      random = nextRandom(random);
      float distance = weights.distance(candidate.inLocalRack, i < replicaCount);
      keys[i] = formula.key(inFlight, distance, candidate.health, ramp, now, random);
    }
    return now;
  }
}
