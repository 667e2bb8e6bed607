/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.hedging.CopyTries;
import io.curtail.selection.hedging.ReadTail;
import io.curtail.selection.passing.Route;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A read that left this coordinator with a route. It is at one replica of the route at a time, its
 * second copies at others, and never at one that the same request asked in another message: two
 * answers of one replica must not count as those of two. Thread-safe.
 */
final class CarriedRead {
  static final int NOWHERE = -1;

  final long id;
  final Object token;
  final long expiresAtNanos;

  /** Of the reads of its table; null if none of them got copies when it left. */
  volatile ReadTail tail;

  /** The message, as a stock node would have sent it. */
  final Object message;

  /** Of its second copies; by who sends them, one after the other. */
  final CopyTries copyTries;

  // Its answers would stay in memory with it.
  private final WeakReference<Object> callback;
  private Route route;
  private int at;
  private boolean plain;

  // Sets of places, a bit each: had the read and gave it back, asked in another message, with a
  // copy, answered a copy, gave one back, refused one.
  private int had;
  private int asked;
  private int copies;
  private int answeredCopy;
  private int gaveBack;
  private int refused;

  private boolean copiesItself;
  private boolean copiesEnded;
  private boolean lost;
  private long leftNanos;
  private boolean begun;
  private boolean slow;
  private boolean answered;
  private boolean done;
  private boolean wonByCopy;
  private long copyWorkNanos;
  private Object heldBack;
  private Object released;
  private Journey journey;

  // Of the first replica that did not keep it: what it expected, and when that was known here.
  private double expectedNanos;
  private long expectedAtNanos;
  private boolean wasExpected;
  private long answeredAtNanos;
  private long passingGainNanos;
  private long copyGainNanos;

  /**
   * @param at the place in the route of the replica that has it
   * @param callback what waits for the answers of the whole request
   */
  CarriedRead(
      long id,
      Object token,
      Route route,
      int at,
      Object message,
      Object callback,
      long expiresAtNanos) {
    this.id = id;
    this.token = token;
    this.route = route;
    this.at = at;
    this.message = message;
    this.callback = new WeakReference<>(callback);
    this.expiresAtNanos = expiresAtNanos;
    this.copyTries = new CopyTries(route.size());
  }

  /** A replica that will not keep it, or this node, says how long it would have taken there. */
  synchronized void leaves(double expected) {
    if (!wasExpected && !done) {
      wasExpected = true;
      expectedNanos = expected;
      expectedAtNanos = System.nanoTime();
    }
  }

  /** It is a sample, which begins where it is now; null if it is none. */
  synchronized void follow(Journey told) {
    journey = told;
    tell("to", replica(at));
  }

  private void tell(String what, InetAddressAndPort replica) {
    if (journey != null) {
      journey.add(what, replica);
    }
  }

  synchronized Route route() {
    return route;
  }

  boolean isOf(Object otherCallback) {
    return otherCallback != null && callback.get() == otherCallback;
  }

  /** Returns what waits for the answers; null if nobody does any more. */
  Object callback() {
    return callback.get();
  }

  synchronized boolean isAt(InetAddressAndPort replica) {
    return route.replica(at).equals(replica);
  }

  synchronized boolean hasCopyAt(InetAddressAndPort replica) {
    int place = route.placeOf(replica);
    return place != NOWHERE && has(copies, place);
  }

  private static boolean has(int places, int place) {
    return (places & 1 << place) != 0;
  }

  private InetAddressAndPort replica(int place) {
    return (InetAddressAndPort) route.replica(place);
  }

  synchronized InetAddressAndPort at() {
    return replica(at);
  }

  synchronized boolean mayBeAt(InetAddressAndPort replica) {
    return route.placeOf(replica) != NOWHERE;
  }

  private boolean isTaken(int place) {
    return place == at || has(asked | copies | answeredCopy, place);
  }

  /**
   * The request is about to ask the replica in another message. Returns whom to ask instead where
   * it has, or had last, this read or has answered a copy of it: preferably one that has not given
   * the read back; null if there is nobody.
   */
  synchronized InetAddressAndPort ask(InetAddressAndPort replica) {
    int place = route.placeOf(replica);
    if (place == NOWHERE) {
      return replica;
    }
    if (place != at && !has(copies | answeredCopy, place)) {
      asked |= 1 << place;
      return replica;
    }
    int other = NOWHERE;
    for (int free = 0; free < route.size(); free++) {
      if (!isTaken(free) && (other == NOWHERE || (has(had, other) && !has(had, free)))) {
        other = free;
      }
    }
    if (other == NOWHERE) {
      return null;
    }
    asked |= 1 << other;
    return replica(other);
  }

  /** The read's own message goes to this replica, too, if it has not the read itself. */
  synchronized void askedAtOnce(InetAddressAndPort replica) {
    int place = route.placeOf(replica);
    if (place != NOWHERE && place != at) {
      asked |= 1 << place;
    }
  }

  /** The replica that has it gave it back. Returns the place it may go to; where it was if none. */
  synchronized int next(Route learned, int wanted) {
    if (learned.knows(at)) {
      leaves(learned.expectedNanos(at));
    }
    route = learned;
    return wanted >= 0 && wanted < route.size() && !isTaken(wanted) ? wanted : at;
  }

  synchronized int place() {
    return at;
  }

  synchronized void moveTo(int place) {
    tell(place == at ? "came back, stays at" : "passed on to", replica(place));
    had |= 1 << at;
    at = place;
  }

  /** Returns whether it was carried until now: it goes as a plain read from here on. */
  synchronized boolean becomePlain() {
    boolean before = plain;
    plain = true;
    return !before;
  }

  // ---- second copies

  /** From here on the read gets second copies of its own, and not Cassandra's. */
  void copyItself() {
    copyItself(System.nanoTime());
  }

  /** The same for one that left at this {@link System#nanoTime()}. */
  synchronized void copyItself(long left) {
    copiesItself = true;
    leftNanos = left;
  }

  /** From here on it gets none, and Cassandra's are no longer held back. */
  synchronized void endCopies() {
    copiesEnded = true;
  }

  /** Whoever has it seems to be lost. It still gets copies, and Cassandra's are not held back. */
  synchronized void takeForLost() {
    lost = true;
  }

  /** When it left, if it has copies of its own; a {@link System#nanoTime()} value. */
  synchronized long leftNanos() {
    return leftNanos;
  }

  /** Whether it was to get second copies of its own when it left. */
  synchronized boolean hasOwnCopies() {
    return copiesItself;
  }

  /**
   * Whether the read has second copies of its own, or can have, and nothing else is needed yet.
   *
   * @param usable whether a replica takes one
   */
  synchronized boolean copiesItself(Predicate<InetAddressAndPort> usable) {
    if (!copiesItself || copiesEnded || lost || done) {
      return false;
    }
    boolean possible = copies != 0;
    for (int place = 0; place < route.size(); place++) {
      possible |= isOpen(place) && usable.test(replica(place));
    }
    return possible;
  }

  /** Returns whether it may get copies, and anybody still waits for it. */
  synchronized boolean isDue() {
    return !done && !copiesEnded && callback.get() != null;
  }

  /** It has left for as long as a copy is due after. */
  synchronized void late() {
    slow |= !done;
  }

  /** Its first copy is due. Returns whether it was not before. */
  synchronized boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Of the time after which a copy is due, in ns, what is left; at least 0. */
  synchronized long restNanos(long delayNanos) {
    return Math.max(0, delayNanos - (System.nanoTime() - leftNanos));
  }

  /** Whether nobody waits for it any more when so much time has passed, in ns. */
  boolean isOverIn(long nanos) {
    return System.nanoTime() + nanos - expiresAtNanos >= 0;
  }

  synchronized boolean wasSlow() {
    return slow;
  }

  /**
   * A copy may leave.
   *
   * @param ranked makes of the replicas that have neither the read nor a copy those that take one,
   *     the best first
   * @return where it goes: preferably to one that has not given one back; null for nowhere
   */
  synchronized InetAddressAndPort copyTo(UnaryOperator<List<InetAddressAndPort>> ranked) {
    if (done || copiesEnded) {
      return null;
    }
    List<InetAddressAndPort> order = ranked.apply(open());
    int place = NOWHERE;
    for (int i = 0; i < order.size() && place == NOWHERE; i++) {
      int next = route.placeOf(order.get(i));
      place = has(gaveBack, next) ? NOWHERE : next;
    }
    if (place == NOWHERE) {
      gaveBack = 0;
      place = order.isEmpty() ? NOWHERE : route.placeOf(order.get(0));
    }
    if (place == NOWHERE) {
      return null;
    }
    copies |= 1 << place;
    tell("copy to", replica(place));
    return replica(place);
  }

  private boolean isOpen(int place) {
    return !isTaken(place) && !has(refused, place);
  }

  private List<InetAddressAndPort> open() {
    List<InetAddressAndPort> open = new ArrayList<>();
    for (int place = 0; place < route.size(); place++) {
      if (isOpen(place)) {
        open.add(replica(place));
      }
    }
    return open;
  }

  /** The copy at the replica is not served there. */
  synchronized void copyCameBack(InetAddressAndPort replica) {
    int place = route.placeOf(replica);
    copies &= ~(1 << place);
    gaveBack |= 1 << place;
    tell("copy back from", replica);
  }

  /**
   * The replica of a copy will not do what the read asks, now or later: it gets none again.
   *
   * @return whether that stands for what was {@linkplain #askAgain held back}, which does not leave
   *     then: the request reckons with one more answer, and is to hear this one
   */
  synchronized boolean copyRefused(InetAddressAndPort replica) {
    int place = route.placeOf(replica);
    copies &= ~(1 << place);
    refused |= 1 << place;
    tell("copy refused by", replica);
    boolean stands = heldBack != null;
    if (stands) {
      answeredCopy |= 1 << place;
      heldBack = null;
    }
    return stands;
  }

  /**
   * A replica answered.
   *
   * @param workNanos what that was for it
   * @return the work that was done in vain; negative if this is the first answer
   */
  synchronized long answered(InetAddressAndPort from, long workNanos) {
    int place = route.placeOf(from);
    boolean copy = has(copies, place);
    tell(done ? "in vain by" : copy ? "copy answered by" : "answered by", from);
    if (copy) {
      copies &= ~(1 << place);
      answeredCopy |= 1 << place;
      copyWorkNanos = workNanos;
    } else {
      answered = true;
      gained();
    }
    if (done) {
      return copyWorkNanos;
    }
    done = true;
    wonByCopy = copy;
    if (copy) {
      answeredAtNanos = System.nanoTime();
    }
    return -1;
  }

  private void gained() {
    if (!wasExpected && !wonByCopy) {
      return;
    }
    long now = System.nanoTime();
    if (wasExpected) {
      passingGainNanos = (long) expectedNanos - (now - expectedAtNanos);
    }
    if (wonByCopy) {
      copyGainNanos = now - answeredAtNanos;
    }
  }

  /**
   * Returns, once it is answered itself, what the read gained by not waiting where it came first:
   * the time that it was expected to take there, less that which it took from then on. 0 if it
   * stayed there at once, and when asked again; below 0 if it would have been quicker.
   */
  synchronized long takePassingGainNanos() {
    long gain = passingGainNanos;
    passingGainNanos = 0;
    return gain;
  }

  /**
   * Returns, once it is answered itself, for how long its copy had answered before; 0 if none had,
   * and when asked again.
   */
  synchronized long takeCopyGainNanos() {
    long gain = copyGainNanos;
    copyGainNanos = 0;
    return gain;
  }

  /** It goes to the replica as an ordinary read after all, and gets no copies. */
  synchronized void abandonTo(InetAddressAndPort replica) {
    at = route.placeOf(replica);
    tell("plain to", replica);
    copiesItself = false;
    done = true;
  }

  synchronized boolean wonByCopy() {
    return wonByCopy;
  }

  /** Whoever had it answers no more, or what it answers is no help. It gets no more copies. */
  synchronized void fail() {
    answered = true;
    copiesEnded = true;
  }

  /** Whether no replica owes an answer. */
  synchronized boolean isOver() {
    return answered && copies == 0;
  }

  /**
   * Cassandra's own second copy is about to leave. It stays here if this read {@linkplain
   * #copiesItself has its own}, and while there is nobody for it.
   *
   * @return as {@link #ask}; null if it stays
   */
  synchronized InetAddressAndPort askAgain(
      Object retry, InetAddressAndPort replica, Predicate<InetAddressAndPort> usable) {
    InetAddressAndPort to = copiesItself(usable) ? null : ask(replica);
    if (to == null) {
      heldBack = retry;
    }
    return to;
  }

  synchronized boolean hasHeldBack() {
    return heldBack != null;
  }

  /**
   * What was held back leaves after all, unless this read is still left to itself.
   *
   * @return where it goes; null if it stays, nothing was held back or nobody is left
   */
  synchronized InetAddressAndPort release() {
    boolean mayLeave = done || lost || copiesEnded;
    InetAddressAndPort to = heldBack != null && mayLeave ? ask(at()) : null;
    if (to != null) {
      released = heldBack;
      heldBack = null;
    }
    return to;
  }

  /** What was released. */
  synchronized Object released() {
    return released;
  }
}
