/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

/**
 * Limits what one client sends to one server, and learns the limit from the answers. Thread-safe.
 *
 * <p>Every permit that {@link #tryAcquire} or {@link #acquire} gave ends with exactly one of {@link
 * #onResponse}, {@link #onFailure} and {@link #onAbandoned}.
 */
public interface RateControl {
  /** {@link #tryAcquire}'s answer when only a response can make room. */
  long UNTIL_A_RESPONSE = Long.MAX_VALUE;

  /**
   * Takes a permit if there is one.
   *
   * @return 0 if the request may go now; otherwise, with no permit taken, the nanoseconds after
   *     which to ask again, or {@link #UNTIL_A_RESPONSE}
   */
  long tryAcquire(long nowNanos);

  /** Takes a permit whether there is one or not: for a request that must not wait. */
  void acquire(long nowNanos);

  /**
   * The server answered.
   *
   * @param elapsedNanos from the real send to now
   */
  void onResponse(long elapsedNanos, long nowNanos);

  /** The request timed out or failed: the server's capacity is not what was thought. */
  void onFailure(long nowNanos);

  /** The request ended without saying anything of the server. */
  void onAbandoned();

  /**
   * Returns the limit now, in requests per second, or in requests in flight for a control of those.
   */
  double limit();
}
