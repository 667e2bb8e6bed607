/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The reads that this node sends to replicas and serves for coordinators, free of Cassandra's
 * message types. Called on the threads that send and serve.
 */
interface ReadTraffic {
  /**
   * This node sends a read.
   *
   * @param read what {@link Host#sendProbe} takes
   */
  void onReadSent(InetAddressAndPort to, long id, ReadKind kind, Object read);

  /**
   * A query of a client was answered, on the thread that worked on it. Not called for one that
   * failed.
   *
   * @param reads gives the point reads that it was made of, as {@link Host#sendProbe} takes them
   */
  void onQueryAnswered(Supplier<List<?>> reads);

  /**
   * A replica answered.
   *
   * @param feedback what came with it, null if nothing
   */
  void onReadAnswered(InetAddressAndPort from, long id, ReadKind kind, byte[] feedback);

  /** A peer answered a request, perhaps a read, with an error. */
  void onRequestFailed(InetAddressAndPort from, long id, FailureCause cause);

  /**
   * This node, as a replica of its own read, answered it: no message says so. Called on the thread
   * that read, which is that of the request only where other reads wait for a thread.
   */
  void onOwnReadAnswered();

  /** This node, as a replica of its own read of that kind, failed it: no message says so. */
  void onOwnReadFailed(ReadKind kind);

  /** This thread starts to serve a read for a coordinator. */
  void onServing(long id);

  /** Returns what to attach to the answer to the read this thread serves; null for nothing. */
  byte[] feedbackFor(long id);
}
