/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.Arrays;

/**
 * One client's second copies, by the second: those that its policy counts, or, where that counts
 * none, those that the driver reports with the answers. Written by the client's thread alone.
 */
final class CopyRecording {
  /**
   * What a policy had counted at one moment.
   *
   * @param delayMillis after which a copy was due, the mean over the nodes
   */
  record Sample(CopyTotals counts, double delayMillis) {}

  private final CopyTotals[] reported;
  private final Sample[] samples;

  CopyRecording(int seconds) {
    reported = new CopyTotals[seconds];
    Arrays.fill(reported, CopyTotals.NONE);
    samples = new Sample[seconds + 1];
  }

  /** Of a request of that second. */
  void reported(int second, int sent, boolean won) {
    if (sent > 0) {
      reported[second] = reported[second].plus(CopyTotals.sent(sent, won ? 1 : 0));
    }
  }

  /**
   * Now that second begins; the one after the last one is the end.
   *
   * @param sample null if the policy counts none
   */
  void sampled(int second, Sample sample) {
    samples[second] = sample;
  }

  CopyTotals counted(int second) {
    Sample from = samples[second];
    Sample to = samples[second + 1];
    return from == null || to == null ? reported[second] : to.counts.minus(from.counts);
  }

  /** At the beginning of the second; NaN if it is not known. */
  double delayMillis(int second) {
    return samples[second] == null ? Double.NaN : samples[second].delayMillis;
  }
}
