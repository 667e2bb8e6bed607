/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

/**
 * Reads, speeds and service times that were drawn elsewhere, for a simulation of the same. Asked by
 * one thread; each read is asked for in the order of arrivals.
 */
public interface ReplayScript {
  /** In place of a coordinator: any replica of what is read, each as likely. */
  int ANY_REPLICA = -1;

  /** How many there are. */
  int reads();

  /** From the start, not before the read before. */
  long arrivalNanos(int read);

  /** The first of the replicas, which are neighbours; from 0. */
  int group(int read);

  /** From 0, or {@link #ANY_REPLICA}. */
  int coordinator(int read);

  /** Whether a server, from 0, is fast in an interval, from 0. */
  boolean isFast(int server, long interval);

  /** What the read takes there, as a multiple of the server's mean; asked when it is served. */
  double serviceUnit(int read, int server);
}
