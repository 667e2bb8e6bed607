/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.BitSet;

/**
 * The column families of which a {@link RecordCache} has kept something: a write to others has
 * nothing to look for there. Thread-safe.
 */
final class KnownFamilies {
  /** Never changed, but replaced. */
  private volatile BitSet numbers = new BitSet();

  /** Whether something may be kept of it. */
  boolean has(int number) {
    return numbers.get(number);
  }

  /** Comes before something is kept. */
  void add(int number) {
    if (!has(number)) {
      synchronized (this) {
        BitSet more = (BitSet) numbers.clone();
        more.set(number);
        numbers = more;
      }
    }
  }
}
