/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.load.Mix;
import org.HdrHistogram.Histogram;

/**
 * One run on one node.
 *
 * @param pair the number of the pair, from 1
 * @param cost during the run
 * @param debt after it, until the node had nothing left to do; nothing after reads
 */
record Measured(
    Kind kind,
    Mix mix,
    int clients,
    int pair,
    ClosedLoop.Result result,
    Cost cost,
    Cost debt,
    long residentBytes) {

  double requestsPerSecond() {
    return result.requestsPerSecond();
  }

  /** Of reads and writes together. */
  double millis(double percentile) {
    return millis(result.all(), percentile);
  }

  static double millis(Histogram histogram, double percentile) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(percentile) / 1e3;
  }

  /** The share of the run during which the collector held the node, between 0 and 1. */
  double pauseShare() {
    return cost.pauses().nanos() / 1e9 / result.seconds();
  }

  double cpuMicrosPerRequest() {
    return cost.cpuNanos() / 1e3 / result.requests();
  }

  double heapBytesPerRequest() {
    return (double) cost.allocatedBytes() / result.requests();
  }

  double pauseMicrosPerRequest() {
    return cost.pauses().nanos() / 1e3 / result.requests();
  }

  /** Written to storage for each byte that a user wrote, compaction after the run included. */
  double writeAmplification(int rowBytes) {
    long written = cost.writtenBytes() + debt.writtenBytes();
    return (double) written / (result.writes().getTotalCount() * rowBytes);
  }
}
