/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.passing;

import java.util.Arrays;

/**
 * What travels with a read that may be passed on: its replicas in the client's order, what those
 * that had it expected of themselves, and {@linkplain KnownQueues what the client knew} where all
 * have a queue. Belongs to one read; not thread-safe.
 *
 * <p>Ages, not times, cross hosts: the time on the wire is not counted.
 */
public final class Route {
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final Object[] replicas;
  private final double[] expectedNanos;
  private final long[] ageNanos;
  private int hops;

  /**
   * @param replicas the replicas' names, equal on every server, best first; the first gets the read
   */
  public Route(Object... replicas) {
    this.replicas = replicas;
    this.expectedNanos = new double[replicas.length];
    this.ageNanos = new long[replicas.length];
    Arrays.fill(ageNanos, UNKNOWN);
  }

  /** Returns how many replicas there are. */
  public int size() {
    return replicas.length;
  }

  /** Returns the name of a replica, from place 0. */
  public Object replica(int place) {
    return replicas[place];
  }

  /** Returns the place of a replica; -1 if it is not in the route. */
  public int placeOf(Object replica) {
    return Arrays.asList(replicas).indexOf(replica);
  }

  /** Returns how often the read was passed on. */
  public int hops() {
    return hops;
  }

  /** Returns whether anything is known of the replica at the place. */
  public boolean knows(int place) {
    return ageNanos[place] != UNKNOWN;
  }

  /** Returns how long a read would have taken at the replica, in ns, if anything is known. */
  public double expectedNanos(int place) {
    return expectedNanos[place];
  }

  /** Returns how long ago that was so, in ns, if anything is known. */
  public long ageNanos(int place) {
    return ageNanos[place];
  }

  /** Notes what is known of a replica, as the read leaves for the next one. */
  public void note(int place, double expected, long age) {
    expectedNanos[place] = expected;
    ageNanos[place] = age;
  }

  /** The read is passed on once more. */
  public void hop() {
    hops++;
  }
}
