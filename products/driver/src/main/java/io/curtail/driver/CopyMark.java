/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import io.netty.channel.Channel;

/**
 * Tells which of a thread's messages is a second copy. The driver polls a plan for the node of a
 * copy and writes the message on the same thread, without a word of the one in the other: so the
 * plan sets the mark, and what is written next takes it. Each poll of a plan of {@link
 * AdaptivePolicy} sets it anew, as what was polled for is not written where the connection is
 * closing.
 */
final class CopyMark {
  private static final ThreadLocal<Boolean> NEXT = new ThreadLocal<>();

  private CopyMark() {}

  /** What this thread writes next is a copy, or is none. */
  static void set(boolean isCopy) {
    if (isCopy) {
      NEXT.set(true);
    } else if (NEXT.get() != null) {
      NEXT.remove();
    }
  }

  /** Whether this message is a copy; the one after it is none. */
  static boolean take() {
    boolean isCopy = NEXT.get() != null;
    if (isCopy) {
      NEXT.remove();
    }
    return isCopy;
  }

  /** A message on its way to the {@link Channel} that is a copy. */
  static final class Marked {
    final Object message;

    Marked(Object message) {
      this.message = message;
    }
  }
}
