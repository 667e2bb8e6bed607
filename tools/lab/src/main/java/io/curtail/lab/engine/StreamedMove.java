/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

/**
 * A node that gave its part of a table to the others, or took it.
 *
 * @param storage that all nodes have the table in
 * @param what {@code leave} or {@code join}
 * @param movedBytes the rows of the table on that node, without what a storage adds
 * @param seconds the whole operation; Cassandra's own waits for gossip are in it
 * @param streamingSeconds of them, while a session was open between nodes
 * @param restSeconds from its end until all nodes are at rest: files absorbed, deleted, compacted
 * @param mebibytesPerSecond moved while a session was open
 * @param extraBytes the most that the node's data directory had beyond what it has at rest, before
 *     or after
 * @param extraBytesOfOthers the same, of the other node that had most
 * @param quiet reads before, from as many nodes
 * @param meanwhile reads while a session was open
 */
public record StreamedMove(
    String storage,
    String what,
    long movedBytes,
    double seconds,
    double streamingSeconds,
    double restSeconds,
    double mebibytesPerSecond,
    long extraBytes,
    long extraBytesOfOthers,
    Reads quiet,
    Reads meanwhile) {

  /**
   * What clients saw, those that failed included.
   *
   * @param failed of the requests
   */
  public record Reads(long requests, long failed, double p50Millis, double p99Millis) {}
}
