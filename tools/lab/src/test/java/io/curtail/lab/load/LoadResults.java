/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;
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

  /** So many requests in each second, one after the other. */
  public static LoadResult withRates(int seconds, IntUnaryOperator requestsInSecond) {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(seconds));
    for (int second = 0; second < seconds; second++) {
      int requests = requestsInSecond.applyAsInt(second);
      for (int n = 0; n < requests; n++) {
        long at = second * 1_000_000_000L + n * 1_000_000_000L / requests;
        recording.success(at, 1_000_000, true, n % 4 == 0 ? "127.0.0.2" : "127.0.0.1");
      }
    }
    return new LoadResult(List.of(recording));
  }

  /** As {@link #withRates}, but each second from one on fails as a whole. */
  public static LoadResult failingFrom(int failing, int seconds, int requestsInSecond) {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(seconds));
    for (int n = 0; n < seconds * requestsInSecond; n++) {
      long at = n * 1_000_000_000L / requestsInSecond;
      if (n < failing * requestsInSecond) {
        recording.success(at, 1_000_000, true, "127.0.0.1");
      } else {
        recording.failure(at, 1_000_000, 2_000_000_000L, true, new IllegalStateException());
      }
    }
    return new LoadResult(List.of(recording));
  }

  /** A hundred requests a second of 50 ms, the first of which fail or are copied. */
  public static LoadResult withErrorsAndCopies(int seconds, int errors, int copies) {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(seconds));
    for (int n = 0; n < seconds * 100; n++) {
      if (n < errors) {
        recording.failure(
            n * 10_000_000L, 1_000_000, 30_000_000_000L, true, new IllegalStateException());
      } else {
        recording.success(n * 10_000_000L, 50_000_000, true, "127.0.0.1");
        recording.copies(n * 10_000_000L, n < errors + copies ? 1 : 0, false);
      }
    }
    return new LoadResult(List.of(recording));
  }

  /**
   * A hundred requests a second; for five of them a second copy is due after 7 ms, for three it is
   * sent, and two of these win.
   */
  public static LoadResult withPolicyCounts(int seconds) {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(seconds));
    for (int n = 0; n < seconds * 100; n++) {
      recording.success(n * 10_000_000L, 1_000_000, true, "127.0.0.1");
      // The driver counts those that were refused too.
      recording.copies(n * 10_000_000L, n % 20 == 0 ? 1 : 0, false);
    }
    for (int second = 0; second <= seconds; second++) {
      CopyTotals counts =
          new CopyTotals(5L * second, 3L * second, 2L * second, second, 0, 0, second);
      recording.copies().sampled(second, new CopyRecording.Sample(counts, 7));
    }
    return new LoadResult(List.of(recording));
  }
}
