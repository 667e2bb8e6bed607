/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A stock Cassandra 5.0 node for verification: inside this JVM, or as a child that may be killed.
 *
 * <ul>
 *   <li>{@link io.curtail.testnode.NodeSettings} writes the configuration of a node into a
 *       directory: one node, loopback, small, fast to start. Memtable configurations are added by
 *       name.
 *   <li>{@link io.curtail.testnode.EmbeddedNode} starts that node in this JVM, once for the life of
 *       the JVM, and runs CQL through the coordinator's path (lightweight transactions, batches and
 *       counters included). The JVM needs the flags of {@link io.curtail.testnode.NodeFlags}.
 *   <li>{@link io.curtail.testnode.NodeProcess} starts a child JVM with a node in it, driven line
 *       by line over its standard input: for restarts, SIGKILL and start-up refusals.
 *   <li>{@link io.curtail.testnode.ChildJvm} runs a class in a process of its own.
 *   <li>{@link io.curtail.testnode.ExportedMetrics} is what Prometheus sees of a node's MBeans.
 * </ul>
 *
 * <p>Not part of what an operator installs.
 */
package io.curtail.testnode;
