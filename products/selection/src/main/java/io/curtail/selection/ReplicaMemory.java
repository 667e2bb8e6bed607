/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * What one policy keeps of one replica beyond what {@link ReplicaLoad} does. Told by one thread at
 * a time, and read by any, as the averages of the load are.
 */
interface ReplicaMemory {
  /** What a policy keeps that needs nothing more. */
  ReplicaMemory NONE = new ReplicaMemory() {};

  /** The replica answered. */
  default void onResponse(long elapsedNanos, long nowNanos) {}

  /** The replica failed, which counts as having taken at least the timeout. */
  default void onFailure(long elapsedNanos, long nowNanos) {
    onResponse(elapsedNanos, nowNanos);
  }

  /**
   * The replica said something of itself.
   *
   * @param outstanding this client's requests at that time, the one that was answered included
   */
  default void onFeedback(Feedback feedback, int outstanding) {}
}
