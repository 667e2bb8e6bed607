/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.Run;

/** What arms are compared by, a number for each run. */
enum Metric {
  P50("p50", 50),
  P95("p95", 95),
  P99("p99", 99),
  P999("p99.9", 99.9),
  MEAN("mean", Double.NaN) {
    @Override
    double of(Run run) {
      return run.result().all().getMean() / 1e3;
    }
  },
  THROUGHPUT("throughput", Double.NaN) {
    @Override
    double of(Run run) {
      return run.result().requestsPerSecond();
    }
  },
  NODE_CPU("node CPU", Double.NaN) {
    @Override
    double of(Run run) {
      return run.nodeCpuMillis();
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

  /** Whether it is a time that a client waits. */
  boolean isLatency() {
    return this != THROUGHPUT && this != NODE_CPU;
  }

  /** In milliseconds, a request's where it is the nodes' processor time, or requests a second. */
  double of(Run run) {
    return run.result().all().getValueAtPercentile(percentile) / 1e3;
  }
}
