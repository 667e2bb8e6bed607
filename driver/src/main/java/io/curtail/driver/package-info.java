/**
 * Load balancing for the Apache Cassandra Java driver 4, switched on by configuration alone.
 *
 * <p>Start at {@link io.curtail.driver.WeightedLeastLoadedPolicy}, which turns what is known of
 * each node ({@code TrackedNode}) into a query plan ({@code WeightedQueryPlan}). Classes of the
 * driver that its authors call internal are named only there and in {@code DriverInternals}.
 */
package io.curtail.driver;
