/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.campaign.Bootstrap;
import io.curtail.campaign.Interval;
import io.curtail.campaign.Median;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A policy beside another one, or beside the best of several, cell by cell: ratios of the means
 * over the same seeds; below 1 the policy is better.
 */
public final class PolicyComparison {
  /**
   * One cell.
   *
   * @param against the policy that it was compared with at p99.9
   * @param lost reads a run that nobody answered and no latency tells of
   * @param lostAgainst the fewest of the others
   */
  public record Row(
      String experiment,
      Map<String, Object> cell,
      String against,
      Interval mean,
      Interval p99,
      Interval p999,
      double extraWork,
      double lost,
      double lostAgainst) {}

  /**
   * A comparison as a machine reads it.
   *
   * @param worse the cells in which the mean, p99 or p99.9 is higher than the reference's, or more
   *     reads are lost
   */
  public record Summarised(
      String policy, List<String> against, double medianP999, int worse, List<Row> rows) {}

  private static final long SEED = 1;

  private final String policy;
  private final List<String> references;
  private final CellNames names;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param references of which the best counts, in each cell and for each measure
   * @param all results, of which the same may be there more than once
   * @throws IllegalArgumentException if no cell has both, or two runs of the same differ
   */
  public PolicyComparison(List<Result> all, String policy, List<String> references) {
    List<Result> results = once(all);
    this.policy = policy;
    this.references = List.copyOf(references);
    this.names = new CellNames(results);
    Map<Summary.Key, List<Result>> groups = Summary.bySeeds(results);
    groups.forEach(
        (key, own) -> {
          Map<String, List<Result>> others = new LinkedHashMap<>();
          for (String reference : references) {
            Summary.Key other = new Summary.Key(key.experiment(), key.cell(), reference);
            if (groups.containsKey(other)) {
              others.put(reference, groups.get(other));
            }
          }
          if (key.policy().equals(policy) && !others.isEmpty()) {
            rows.add(row(key, own, others));
          }
        });
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(
          "no cell has results of both " + policy + " and " + String.join(" or ", references));
    }
  }

  /** Or a run that two folders have would count as two. */
  private static List<Result> once(List<Result> all) {
    Map<List<Object>, Result> runs = new LinkedHashMap<>();
    for (Result result : all) {
      List<Object> run =
          List.of(result.experiment(), result.cell(), result.policy(), result.seed());
      Result before = runs.putIfAbsent(run, result);
      if (before != null && !before.trace().equals(result.trace())) {
        throw new IllegalArgumentException(
            "two runs of %s in %s with seed %d differ, so they are of two versions: compare each alone"
                .formatted(result.policy(), result.experiment(), result.seed()));
      }
    }
    return List.copyOf(runs.values());
  }

  private static Row row(Summary.Key key, List<Result> own, Map<String, List<Result>> others) {
    return new Row(
        key.experiment(),
        key.cell(),
        best(others, Result::p999Millis),
        ratio(own, others, Result::meanMillis),
        ratio(own, others, Result::p99Millis),
        ratio(own, others, Result::p999Millis),
        Summary.mean(own, Result::extraWork),
        Summary.mean(own, Result::lost),
        Summary.mean(others.get(best(others, Result::lost)), Result::lost));
  }

  private static String best(Map<String, List<Result>> others, ToDoubleFunction<Result> value) {
    return Collections.min(
        others.keySet(),
        Comparator.comparingDouble(other -> Summary.mean(others.get(other), value)));
  }

  private static Interval ratio(
      List<Result> own, Map<String, List<Result>> others, ToDoubleFunction<Result> value) {
    double[][] pairs =
        others.get(best(others, value)).stream()
            .flatMap(
                other ->
                    own.stream()
                        .filter(result -> result.seed() == other.seed())
                        .map(
                            result ->
                                new double[] {
                                  value.applyAsDouble(result), value.applyAsDouble(other)
                                }))
            .toArray(double[][]::new);
    return Bootstrap.ratioOfSums(pairs, SEED);
  }

  private static boolean isWorse(Row row) {
    return row.lost() > row.lostAgainst()
        || Stream.of(row.mean(), row.p99(), row.p999()).anyMatch(ratio -> ratio.estimate() > 1);
  }

  public Summarised summary() {
    int worse = (int) rows.stream().filter(PolicyComparison::isWorse).count();
    return new Summarised(policy, references, medianP999(), worse, List.copyOf(rows));
  }

  private double medianP999() {
    return Median.of(rows.stream().mapToDouble(row -> row.p999().estimate()).toArray());
  }

  /** Returns the comparison as text. */
  public String toText() {
    Columns<Row> columns =
        new Columns<Row>()
            .add("cell", row -> names.name(row.experiment(), row.cell()))
            .add("against", Row::against)
            .add("mean", row -> row.mean().toRatio())
            .add("p99", row -> row.p99().toRatio())
            .add("p99.9", row -> row.p999().toRatio())
            .add("extra work", row -> Unit.SHARE.format(row.extraWork()));
    if (rows.stream().anyMatch(row -> row.lost() + row.lostAgainst() > 0)) {
      columns.add(
          "lost",
          row -> Unit.COUNT.format(row.lost()) + " / " + Unit.COUNT.format(row.lostAgainst()));
    }
    Table table = columns.add("", row -> isWorse(row) ? "worse" : "").table(2, rows);
    Summarised summary = summary();
    return policy
        + " divided by "
        + (references.size() == 1 ? "" : "the best of ")
        + String.join(", ", references)
        + " (below 1 is better; 95 % intervals over the seeds)\n\n"
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
