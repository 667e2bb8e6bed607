/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * C3 at the coordinator of a stock Cassandra 5.0 node: one jar in {@code lib/}.
 *
 * <p>{@link io.curtail.server.CurtailSnitch} is what {@code cassandra.yaml} names; it takes
 * topology from the snitch that the cluster already uses and puts replicas in order by what the
 * coordinator measures and what replicas report of themselves. Everything that calls into
 * Cassandra's internals is in {@link io.curtail.server.Cassandra50} and the files named like it.
 */
package io.curtail.server;
