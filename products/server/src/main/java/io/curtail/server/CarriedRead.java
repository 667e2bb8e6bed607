/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.passing.Route;
import java.lang.ref.WeakReference;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A read that left this coordinator with a route. It is at one replica of the route at a time, and
 * never at one that the same request asked in another message: two answers of one replica must not
 * count as those of two. Thread-safe.
 */
final class CarriedRead {
  static final int NOWHERE = -1;

  final long id;
  final Object token;
  final long expiresAtNanos;

  /** The message, as a stock node would have sent it. */
  final Object message;

  // Its answers would stay in memory with it.
  private final WeakReference<Object> callback;
  private Route route;
  private int at;
  private int asked;
  private boolean plain;

  /**
   * @param route the first has it
   * @param callback what waits for the answers of the whole request
   */
  CarriedRead(
      long id, Object token, Route route, Object message, Object callback, long expiresAtNanos) {
    this.id = id;
    this.token = token;
    this.route = route;
    this.message = message;
    this.callback = new WeakReference<>(callback);
    this.expiresAtNanos = expiresAtNanos;
  }

  synchronized Route route() {
    return route;
  }

  boolean isOf(Object otherCallback) {
    return otherCallback != null && callback.get() == otherCallback;
  }

  synchronized boolean isAt(InetAddressAndPort replica) {
    return route.replica(at).equals(replica);
  }

  synchronized InetAddressAndPort at() {
    return (InetAddressAndPort) route.replica(at);
  }

  private int placeOf(InetAddressAndPort replica) {
    for (int place = 0; place < route.size(); place++) {
      if (route.replica(place).equals(replica)) {
        return place;
      }
    }
    return NOWHERE;
  }

  synchronized boolean mayBeAt(InetAddressAndPort replica) {
    return placeOf(replica) != NOWHERE;
  }

  /**
   * The request is about to ask the replica in another message. Returns whom to ask instead where
   * it has, or had last, this read; null if there is nobody.
   */
  synchronized InetAddressAndPort ask(InetAddressAndPort replica) {
    int place = placeOf(replica);
    if (place == NOWHERE) {
      return replica;
    }
    if (place != at) {
      asked |= 1 << place;
      return replica;
    }
    for (int other = 0; other < route.size(); other++) {
      if (other != at && (asked & 1 << other) == 0) {
        asked |= 1 << other;
        return (InetAddressAndPort) route.replica(other);
      }
    }
    return null;
  }

  /** The replica that has it gave it back. Returns the place it may go to; where it was if none. */
  synchronized int next(Route learned, int wanted) {
    route = learned;
    return wanted >= 0 && wanted < route.size() && (asked & 1 << wanted) == 0 ? wanted : at;
  }

  synchronized int place() {
    return at;
  }

  synchronized void moveTo(int place) {
    at = place;
  }

  /** Returns whether it was carried until now: it goes as a plain read from here on. */
  synchronized boolean becomePlain() {
    boolean before = plain;
    plain = true;
    return !before;
  }
}
