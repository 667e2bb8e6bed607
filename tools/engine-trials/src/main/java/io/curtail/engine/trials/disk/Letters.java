/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

/** Values of rows that fill a disk. */
final class Letters {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

  private Letters() {}

  /** Letters that compress badly, the same for a key each time. */
  static String of(int key, int count) {
    StringBuilder value = new StringBuilder(count);
    long state = key + 1L;
    for (int i = 0; i < count; i++) {
      state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      value.append(LETTERS.charAt((int) (state >>> 40) % LETTERS.length()));
    }
    return value.toString();
  }
}
