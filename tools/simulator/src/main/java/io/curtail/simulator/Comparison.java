/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A policy beside another one, or beside the best of several, cell by cell: ratios of the means
 * over the same seeds; below 1 the policy is better.
 */
public final class Comparison {
  /**
   * One cell.
   *
   * @param against the policy that it was compared with at p99.9
   * @param p999Least the least ratio of p99.9 over the seeds
   * @param p999Most the highest ratio of p99.9 over the seeds
   */
  public record Row(
      String experiment,
      Map<String, Object> cell,
      String against,
      double mean,
      double p99,
      double p999,
      double p999Least,
      double p999Most,
      double extraWork) {}

  /**
   * A comparison as a machine reads it.
   *
   * @param worse the cells in which the mean, p99 or p99.9 is higher than the reference's
   */
  public record Summarised(
      String policy, List<String> against, double medianP999, int worse, List<Row> rows) {}

  private final String policy;
  private final List<String> references;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param references of which the best counts, in each cell and for each measure
   * @throws IllegalArgumentException if no cell has both
   */
  public Comparison(List<Result> results, String policy, List<String> references) {
    this.policy = policy;
    this.references = List.copyOf(references);
    Map<Summary.Key, List<Result>> groups = Summary.bySeeds(results);
    groups.forEach(
        (key, own) -> {
          if (key.policy().equals(policy)) {
            Map<String, List<Result>> others = new LinkedHashMap<>();
            for (String reference : references) {
              List<Result> other =
                  groups.get(new Summary.Key(key.experiment(), key.cell(), reference));
              if (other != null) {
                others.put(reference, other);
              }
            }
            if (!others.isEmpty()) {
              rows.add(row(key, own, others));
            }
          }
        });
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(
          "no cell has results of both " + policy + " and " + String.join(" or ", references));
    }
  }

  private static Row row(Summary.Key key, List<Result> own, Map<String, List<Result>> others) {
    String rival = best(others, Result::p999Millis);
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (Result result : own) {
      for (Result other : others.get(rival)) {
        if (other.seed() == result.seed()) {
          double ratio = result.p999Millis() / other.p999Millis();
          least = Math.min(least, ratio);
          most = Math.max(most, ratio);
        }
      }
    }
    return new Row(
        key.experiment(),
        key.cell(),
        rival,
        ratio(own, others, Result::meanMillis),
        ratio(own, others, Result::p99Millis),
        ratio(own, others, Result::p999Millis),
        least,
        most,
        Summary.mean(own, Result::extraWork));
  }

  private static String best(Map<String, List<Result>> others, ToDoubleFunction<Result> value) {
    String best = null;
    double least = Double.POSITIVE_INFINITY;
    for (Map.Entry<String, List<Result>> other : others.entrySet()) {
      double mean = Summary.mean(other.getValue(), value);
      if (best == null || mean < least) {
        best = other.getKey();
        least = mean;
      }
    }
    return best;
  }

  private static double ratio(
      List<Result> own, Map<String, List<Result>> others, ToDoubleFunction<Result> value) {
    return Summary.mean(own, value) / Summary.mean(others.get(best(others, value)), value);
  }

  private static boolean isWorse(Row row) {
    return row.mean() > 1 || row.p99() > 1 || row.p999() > 1;
  }

  public Summarised summary() {
    int worse = (int) rows.stream().filter(Comparison::isWorse).count();
    return new Summarised(policy, references, medianP999(), worse, List.copyOf(rows));
  }

  /** Returns the ratio of p99.9 in the median cell. */
  public double medianP999() {
    double[] sorted = rows.stream().mapToDouble(Row::p999).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the comparison as text. */
  public String toText() {
    Table table =
        new Table(
            2, "cell", "against", "mean", "p99", "p99.9", "p99.9 over seeds", "extra work", "");
    for (Row row : rows) {
      table.row(
          Summary.name(row.cell()),
          row.against(),
          Unit.RATIO.format(row.mean()),
          Unit.RATIO.format(row.p99()),
          Unit.RATIO.format(row.p999()),
          Unit.RATIO.format(row.p999Least()) + " to " + Unit.RATIO.format(row.p999Most()),
          Unit.SHARE.format(row.extraWork()),
          isWorse(row) ? "worse" : "");
    }
    Summarised summary = summary();
    return policy
        + " divided by "
        + (references.size() == 1 ? "" : "the best of ")
        + String.join(", ", references)
        + " (below 1 is better)\n\n"
        + table.toText()
        + "\nmedian cell, p99.9: "
        + Unit.RATIO.format(summary.medianP999())
        + "; worse in some measure in "
        + summary.worse()
        + " of "
        + rows.size()
        + " cells\n";
  }
}
