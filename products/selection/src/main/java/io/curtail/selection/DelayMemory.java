/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.delay.ReplicaDelay;
import io.curtail.selection.weighted.HealthSettings;
import io.curtail.selection.weighted.ReplicaHealth;

/** What {@code adaptive} keeps of one replica. Thread-safe. */
public final class DelayMemory implements ReplicaMemory {
  /** Whether it answers with errors. */
  public final ReplicaHealth health = new ReplicaHealth(HealthSettings.DEFAULT);

  private volatile long memoryNanos = ReplicaDelay.DEFAULT_MEMORY_NANOS;
  private volatile ReplicaDelay delay = new ReplicaDelay(memoryNanos);

  DelayMemory() {}

  /**
   * Returns that of a load that {@code adaptive} ranks.
   *
   * @throws ClassCastException if another policy does
   */
  public static DelayMemory of(ReplicaLoad replica) {
    return (DelayMemory) replica.memory();
  }

  /** Returns its response times. */
  public ReplicaDelay delay() {
    return delay;
  }

  /** They are remembered for so long; said before the replica is first asked. */
  void remember(long nanos) {
    if (memoryNanos != nanos) {
      memoryNanos = nanos;
      delay = new ReplicaDelay(nanos);
    }
  }

  @Override
  public void onResponse(long elapsedNanos, long nowNanos) {
    health.succeeded(nowNanos);
    delay.answered(elapsedNanos);
  }

  @Override
  public void onFailure(long elapsedNanos, long nowNanos) {
    health.failed(nowNanos);
    delay.failed(elapsedNanos);
  }
}
