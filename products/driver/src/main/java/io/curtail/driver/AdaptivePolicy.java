/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * Sends each request to the coordinator from which the answer is expected first: by its response
 * times lately, by how long it owes an answer, by the requests in flight to it, weighed by how far
 * away it is. A node that gets slow or stops is left after a few requests, however many are in
 * flight; one that was left is probed by ordinary requests, and is used again when it is quick.
 * Switched on in the driver's configuration:
 *
 * <pre>
 * datastax-java-driver.basic.load-balancing-policy {
 *   class = io.curtail.driver.AdaptivePolicy
 *   local-datacenter = datacenter1
 *   local-rack = rack1
 * }
 * </pre>
 *
 * <p>The order of nodes is {@link io.curtail.selection.delay.LeastDelay}'s. All else is as in
 * {@link WeightedLeastLoadedPolicy}: racks, lightweight transactions, nodes that fail or have just
 * started, other data centres, fall-back, {@link #control()}, and the options {@link
 * WeightedOption}. Its own options: {@link AdaptiveOption}.
 *
 * <p>Thread-safe.
 */
public class AdaptivePolicy extends WeightedLeastLoadedPolicy {
  /**
   * Called by the driver.
   *
   * @throws IllegalArgumentException if an option is out of its range
   */
  public AdaptivePolicy(@NonNull DriverContext context, @NonNull String profileName) {
    super(context, profileName, PolicyKind.ADAPTIVE);
  }
}
