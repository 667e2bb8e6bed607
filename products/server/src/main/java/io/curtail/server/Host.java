/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.locator.InetAddressAndPort;

/** What the plug-in asks of the node it lives in. Thread-safe. */
interface Host {
  /** Monotonic. */
  long nanoTime();

  InetAddressAndPort self();

  /** Whether it owns tokens: not one that left, was replaced, or is still joining. */
  boolean isMember(InetAddressAndPort endpoint);

  /** As gossip and the failure detector see it. */
  boolean isAlive(InetAddressAndPort endpoint);

  /** As the cluster's own snitch sees it. */
  Proximity proximity(InetAddressAndPort endpoint);

  /**
   * Something that is the same object throughout a CQL request of this thread; null outside one.
   */
  Object request();

  /** Live nodes of this data centre, this one included. */
  int liveCoordinators();

  /** What a coordinator waits for a point read at most. */
  long readTimeoutNanos();

  /** What a coordinator waits for a range read at most. */
  long rangeTimeoutNanos();

  /** The read stage now, with the given service time. */
  Feedback readStage(boolean withoutThisThread, long serviceTimeNanos);

  /** The threads that serve CQL requests now, with the given service time. */
  Feedback requestStage(long serviceTimeNanos);

  /**
   * Sends a copy of a point read, for what its answer tells of the replica. Returns at once;
   * another thread sends, after what this thread is about to send.
   *
   * @param read as {@link ReadTraffic#onReadSent} was given it
   * @param failed is told, on that thread, why it could not be sent
   * @return false if the read is not one that the replica could answer
   */
  boolean sendProbe(Object read, InetAddressAndPort to, Consumer<Throwable> failed);

  /**
   * Whether the endpoint is a full replica of what is read now: a transient one refuses the read.
   *
   * @param read as {@link #sendProbe} takes
   */
  boolean isReplica(InetAddressAndPort endpoint, Object read);

  /**
   * Whether so many answers to the read may be a quorum of each of several data centres: then an
   * answer of one must not take the place of one of another, which Cassandra does not see.
   *
   * @param read as {@link #sendProbe} takes
   */
  boolean mayAskEachDataCenter(Object read, int answers);

  /**
   * What was read of each table that this node has now, and that other nodes have too: a node's own
   * system tables are read by nobody else, so their times compare with no peer's.
   */
  List<TableReads> tables(ReadKind kind);
}
