/**
 * Load balancing for the Apache Cassandra Java driver 4, switched on by configuration alone.
 *
 * <p>Start at {@link io.curtail.driver.WeightedLeastLoadedPolicy}: it keeps a {@code TrackedNode}
 * for each live node, and has {@code WeightedPlanner} turn them into a {@code WeightedQueryPlan}.
 */
package io.curtail.driver;
