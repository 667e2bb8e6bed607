/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.io.IOException;

/** The end of several things: each is closed, whatever others fail with. */
public final class ClosedTogether {
  private ClosedTogether() {}

  /** How one is closed. */
  public interface Close<T> {
    void close(T thing) throws IOException;
  }

  /**
   * Closes all of them, in their order.
   *
   * @throws IOException what the first failed with; what others failed with is suppressed by it
   */
  public static <T> void all(Iterable<T> things, Close<T> close) throws IOException {
    IOException failure = null;
    for (T thing : things) {
      try {
        close.close(thing);
      } catch (IOException | RuntimeException e) {
        IOException own = e instanceof IOException known ? known : new IOException(e);
        if (failure == null) {
          failure = own;
        } else {
          failure.addSuppressed(own);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
