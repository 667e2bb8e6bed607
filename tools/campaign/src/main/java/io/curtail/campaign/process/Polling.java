/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits for what nobody tells of: asks for it again and again. */
public final class Polling {
  private Polling() {}

  /**
   * What is waited for.
   *
   * @param <E> why it cannot be told; ends the waiting
   */
  public interface Awaited<E extends Exception> {
    boolean holds() throws E, InterruptedException;
  }

  /** Returns whether it holds; false when it still does not after so long. */
  public static <E extends Exception> boolean holds(
      Duration most, Duration every, Awaited<E> awaited) throws E, InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!awaited.holds()) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(every.toMillis());
    }
    return true;
  }

  /**
   * Returns when it holds.
   *
   * @throws IllegalStateException if it still does not after so long; why, in words
   */
  public static <E extends Exception> void until(
      Duration most, Duration every, Awaited<E> awaited, Supplier<String> why)
      throws E, InterruptedException {
    if (!holds(most, every, awaited)) {
      throw new IllegalStateException(why.get());
    }
  }

  /**
   * The same where nobody expects an interrupt, which ends the waiting.
   *
   * @param during what goes on, in the words of a failure
   * @throws IllegalStateException also if the thread is interrupted; it stays so
   */
  public static <E extends Exception> void await(
      String during, Duration most, Duration every, Awaited<E> awaited, Supplier<String> why)
      throws E {
    try {
      until(most, every, awaited, why);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + during, e);
    }
  }
}
