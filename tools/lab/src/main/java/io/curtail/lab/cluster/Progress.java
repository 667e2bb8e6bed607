/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

/** Told what long work is doing, one line at a time, in words for the user. Thread-safe. */
@FunctionalInterface
public interface Progress {
  Progress NONE = line -> {};

  void report(String line);
}
