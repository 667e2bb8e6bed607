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
 *   pass on if  wait >= max(leastWait, S / 8)
 *          and  expected > believed(best other) + max(margin, S / 8)
 * </pre>
 *
 * S is the server's own recent mean service time. What others are believed to need came with reads
 * that they passed on, or that {@linkplain KnownQueues were told}: it is believed for {@code
 * horizon}, S / 2 or three tenths of what it tells, whichever is longest, and of the read that came
 * with it however old it is; after that, and before, a replica is taken to be free, so that it is
 * tried once. That makes a read find the first free replica, or return to the least loaded of all.
 *
 * <p>Under overload there is nothing to find, and a hop costs a message: long queues are believed
 * for long, and when this server's is far beyond {@code overload} services, unknown replicas are
 * not tried. Where services take much longer than a hop it is they that say what is soon and what
 * is worth it: with the hop alone, every read would go to every replica, and the shortest expected
 * time would fill the queue of whoever is fast for a moment. The shares of S are those that the
 * settings have of a slow server's in the C3 paper's cells, where they measured best.
 *
 * <p>One instance a server. Thread-safe without locks; two threads that learn at once may lose the
 * older of two reports.
 */
public final class PassingRule {
  /** The answer that the read stays. */
  public static final int ACCEPT = -1;

  private static final double WORTHWHILE_SERVICES = 1 / 8.0;
  private static final double BELIEVED_SERVICES = 1 / 2.0;
  private static final double BELIEVED_SHARE = 0.3;

  private static final class Neighbour {
    volatile double expectedNanos;
    volatile long reportedAtNanos = NEVER;

    boolean isBelieved(double horizonNanos, long nowNanos) {
      return nowNanos - reportedAtNanos <= Math.max(horizonNanos, BELIEVED_SHARE * expectedNanos);
    }

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
    Neighbour[] others = learn(route, self, nowNanos);
    double waitNanos = (waiting + 1) * serviceNanos / slots;
    double worthNanos = WORTHWHILE_SERVICES * serviceNanos;
    if (route.hops() >= route.size()
        || waitNanos < Math.max((double) settings.leastWaitNanos, worthNanos)) {
      return ACCEPT;
    }
    double horizonNanos =
        Math.max((double) settings.horizonNanos, BELIEVED_SERVICES * serviceNanos);
    double expectedNanos = waitNanos + serviceNanos;
    boolean overloaded = waitNanos > settings.overloadServices * serviceNanos;
    int best = ACCEPT;
    double least = expectedNanos - Math.max((double) settings.marginNanos, worthNanos);
    for (int place = 0; place < route.size(); place++) {
      if (place != self) {
        double believed =
            believedNanos(route, place, others[place], overloaded, horizonNanos, nowNanos);
        if (believed < least) {
          least = believed;
          best = place;
        }
      }
    }
    if (best != ACCEPT) {
      tell(route, self, others, expectedNanos, horizonNanos, nowNanos);
    }
    return best;
  }

  // What it returns stays, though another thread forgets one meanwhile.
  private Neighbour[] learn(Route route, int self, long nowNanos) {
    Neighbour[] others = new Neighbour[route.size()];
    for (int place = 0; place < route.size(); place++) {
      if (place == self) {
        continue;
      }
      Neighbour neighbour =
          neighbours.computeIfAbsent(route.replica(place), name -> new Neighbour());
      if (route.knows(place)) {
        neighbour.report(route.expectedNanos(place), nowNanos - route.ageNanos(place));
      }
      others[place] = neighbour;
    }
    return others;
  }

  private static double believedNanos(
      Route route,
      int place,
      Neighbour neighbour,
      boolean overloaded,
      double horizonNanos,
      long nowNanos) {
    if (route.knows(place) || neighbour.isBelieved(horizonNanos, nowNanos)) {
      return neighbour.expectedNanos;
    }
    return overloaded ? Double.POSITIVE_INFINITY : 0;
  }

  private static void tell(
      Route route,
      int self,
      Neighbour[] others,
      double expectedNanos,
      double horizonNanos,
      long nowNanos) {
    route.hop();
    for (int place = 0; place < route.size(); place++) {
      if (place == self) {
        route.note(place, expectedNanos, 0);
        continue;
      }
      Neighbour neighbour = others[place];
      if (route.knows(place) || neighbour.isBelieved(horizonNanos, nowNanos)) {
        route.note(place, neighbour.expectedNanos, nowNanos - neighbour.reportedAtNanos);
      }
    }
  }

  /** Forgets a replica that left. */
  public void forget(Object replica) {
    neighbours.remove(replica);
  }
}
