/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.load.LoadResult;

/** What arms are compared by, a number for each run. */
enum Metric {
  P50("p50", 50),
  P95("p95", 95),
  P99("p99", 99),
  P999("p99.9", 99.9),
  MEAN("mean", Double.NaN) {
    @Override
    double of(LoadResult result) {
      return result.all().getMean() / 1e3;
    }
  },
  THROUGHPUT("throughput", Double.NaN) {
    @Override
    double of(LoadResult result) {
      return result.requestsPerSecond();
    }
  };

  private final String label;
  private final double percentile;

  Metric(String label, double percentile) {
    this.label = label;
    this.percentile = percentile;
  }

  String label() {
    return label;
  }

  /** In milliseconds, or requests a second for the throughput. */
  double of(LoadResult result) {
    return result.all().getValueAtPercentile(percentile) / 1e3;
  }
}
