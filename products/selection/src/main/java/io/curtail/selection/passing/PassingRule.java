/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.passing;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Decides, at a server whose slots are all taken, whether a read that comes in waits there or goes
 * on to another replica.
 *
 * <pre>
 *   wait     = (waiting + 1) * S / slots
 *   expected = wait + S
 *   pass on if  wait >= leastWait  and  expected > believed(best other) + margin
 * </pre>
 *
 * S is the server's own recent mean service time. What others are believed to need came with reads
 * that they passed on: it is believed for {@code horizon}; after that, and before, a replica is
 * taken to be free, so that it is tried once. That makes a read find the first free replica, or
 * return to the least loaded of all. When this server's queue is far beyond {@code overload}
 * services, unknown replicas are not tried: under overload there is nothing to find, and no message
 * is spent.
 *
 * <p>One instance a server. Thread-safe without locks; two threads that learn at once may lose the
 * older of two reports.
 */
public final class PassingRule {
  /** The answer that the read stays. */
  public static final int ACCEPT = -1;

  private static final class Neighbour {
    volatile double expectedNanos;
    volatile long reportedAtNanos = NEVER;

    void report(double expected, long atNanos) {
      if (atNanos > reportedAtNanos) {
        expectedNanos = expected;
        reportedAtNanos = atNanos;
      }
    }
  }

  // Far enough in the past, and far enough from overflow.
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final PassingSettings settings;
  private final ConcurrentMap<Object, Neighbour> neighbours = new ConcurrentHashMap<>();

  public PassingRule(PassingSettings settings) {
    this.settings = settings;
  }

  /**
   * Decides about a read that would have to wait. If it is passed on, the route has been told.
   *
   * @param self this server's place in the route
   * @param waiting reads in this server's queue, the new one excluded
   * @param slots reads this server serves at once, at least 1
   * @param serviceNanos this server's recent mean service time
   * @return {@link #ACCEPT}, or the place in the route of the replica that gets the read
   */
  public int decide(
      Route route, int self, int waiting, int slots, double serviceNanos, long nowNanos) {
    learn(route, self, nowNanos);
    double waitNanos = (waiting + 1) * serviceNanos / slots;
    if (route.hops() >= route.size() || waitNanos < settings.leastWaitNanos) {
      return ACCEPT;
    }
    double expectedNanos = waitNanos + serviceNanos;
    boolean overloaded = waitNanos > settings.overloadServices * serviceNanos;
    int best = ACCEPT;
    double least = expectedNanos - settings.marginNanos;
    for (int place = 0; place < route.size(); place++) {
      if (place != self) {
        double believed = believedNanos(route, place, overloaded, nowNanos);
        if (believed < least) {
          least = believed;
          best = place;
        }
      }
    }
    if (best != ACCEPT) {
      tell(route, self, expectedNanos, nowNanos);
    }
    return best;
  }

  private void learn(Route route, int self, long nowNanos) {
    for (int place = 0; place < route.size(); place++) {
      if (place == self) {
        continue;
      }
      Neighbour neighbour =
          neighbours.computeIfAbsent(route.replica(place), name -> new Neighbour());
      if (route.knows(place)) {
        neighbour.report(route.expectedNanos(place), nowNanos - route.ageNanos(place));
      }
    }
  }

  private double believedNanos(Route route, int place, boolean overloaded, long nowNanos) {
    Neighbour neighbour = neighbours.get(route.replica(place));
    if (nowNanos - neighbour.reportedAtNanos <= settings.horizonNanos || route.knows(place)) {
      return neighbour.expectedNanos;
    }
    return overloaded ? Double.POSITIVE_INFINITY : 0;
  }

  private void tell(Route route, int self, double expectedNanos, long nowNanos) {
    route.hop();
    for (int place = 0; place < route.size(); place++) {
      if (place == self) {
        route.note(place, expectedNanos, 0);
        continue;
      }
      Neighbour neighbour = neighbours.get(route.replica(place));
      long age = nowNanos - neighbour.reportedAtNanos;
      if (route.knows(place) || age <= settings.horizonNanos) {
        route.note(place, neighbour.expectedNanos, age);
      }
    }
  }

  /** Forgets a replica that left. */
  public void forget(Object replica) {
    neighbours.remove(replica);
  }
}
