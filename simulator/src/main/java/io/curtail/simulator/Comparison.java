/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two policies side by side, cell by cell: ratios over the same seeds, and the median cell's. */
public final class Comparison {
  private final String policy;
  private final String reference;
  private final List<Double> p999 = new ArrayList<>();
  private final Table table;

  /**
   * @param policy divided by the reference; below 1 it is better
   * @throws IllegalArgumentException if no cell has both
   */
  public Comparison(List<Result> results, String policy, String reference) {
    this.policy = policy;
    this.reference = reference;
    this.table = new Table(1, "cell", "mean", "p99", "p99.9", "p99.9 over seeds", "extra work");
    Map<Summary.Key, List<Result>> groups = Summary.bySeeds(results);
    groups.forEach(
        (key, seeds) -> {
          if (key.policy().equals(policy)) {
            List<Result> others =
                groups.get(new Summary.Key(key.experiment(), key.cell(), reference));
            if (others != null) {
              add(key, seeds, others);
            }
          }
        });
    if (p999.isEmpty()) {
      throw new IllegalArgumentException(
          "no cell has results of both " + policy + " and " + reference);
    }
  }

  private void add(Summary.Key key, List<Result> seeds, List<Result> others) {
    List<Double> perSeed = new ArrayList<>();
    for (Result result : seeds) {
      for (Result other : others) {
        if (other.seed() == result.seed()) {
          perSeed.add(result.p999Millis() / other.p999Millis());
        }
      }
    }
    double ratio =
        Summary.mean(seeds, Result::p999Millis) / Summary.mean(others, Result::p999Millis);
    p999.add(ratio);
    table.row(
        Summary.name(key.cell()),
        Unit.RATIO.format(
            Summary.mean(seeds, Result::meanMillis) / Summary.mean(others, Result::meanMillis)),
        Unit.RATIO.format(
            Summary.mean(seeds, Result::p99Millis) / Summary.mean(others, Result::p99Millis)),
        Unit.RATIO.format(ratio),
        perSeed.isEmpty()
            ? "–"
            : Unit.RATIO.format(perSeed.stream().min(Double::compare).orElseThrow())
                + " to "
                + Unit.RATIO.format(perSeed.stream().max(Double::compare).orElseThrow()),
        Unit.SHARE.format(Summary.mean(seeds, Result::extraWork)));
  }

  /** Returns the ratio of p99.9 in the median cell. */
  public double medianP999() {
    double[] sorted = p999.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  public Table table() {
    return table;
  }

  /** Returns the comparison as text. */
  public String toText() {
    return policy
        + " divided by "
        + reference
        + " (below 1 is better)\n\n"
        + table.toText()
        + "\nmedian cell, p99.9: "
        + Unit.RATIO.format(medianP999())
        + "\n";
  }
}
