/**
 * Load balancing for the Apache Cassandra Java driver 4, switched on by configuration alone.
 *
 * <p>Start at {@link io.curtail.driver.WeightedLeastLoadedPolicy}: it keeps a {@code TrackedNode}
 * for each live node, and has a {@code Planner} turn them into a {@code WeightedQueryPlan}. {@link
 * io.curtail.driver.AdaptivePolicy} is the same with another planner.
 */
package io.curtail.driver;
