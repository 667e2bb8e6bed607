/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** Results for tests of what is made of them. */
public final class LoadResults {
  private LoadResults() {}

  /** A hundred requests a second, the n-th with this latency in microseconds. */
  public static LoadResult of(int seconds, LongUnaryOperator latencyMicros) {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(seconds));
    String[] nodes = {"127.0.0.1", "127.0.0.2"};
    for (int n = 0; n < seconds * 100; n++) {
      recording.success(
          n * 10_000_000L,
          latencyMicros.applyAsLong(n) * 1_000,
          n % 10 != 3,
          nodes[n % 4 == 0 ? 1 : 0]);
    }
    return new LoadResult(List.of(recording));
  }
}
