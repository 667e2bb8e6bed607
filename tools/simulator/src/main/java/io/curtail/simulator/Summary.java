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

/** Results of several seeds as one: means, with the range over the seeds. */
public final class Summary {
  /** Cell and policy. */
  record Key(String experiment, Map<String, Object> cell, String policy) {}

  private Summary() {}

  static Map<Key, List<Result>> bySeeds(List<Result> results) {
    Map<Key, List<Result>> groups = new LinkedHashMap<>();
    for (Result result : results) {
      Key key = new Key(result.experiment(), result.cell(), result.policy());
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(result);
    }
    return groups;
  }

  static double mean(List<Result> seeds, ToDoubleFunction<Result> value) {
    return seeds.stream().mapToDouble(value).average().orElse(Double.NaN);
  }

  static double least(List<Result> seeds, ToDoubleFunction<Result> value) {
    return seeds.stream().mapToDouble(value).min().orElse(Double.NaN);
  }

  static double most(List<Result> seeds, ToDoubleFunction<Result> value) {
    return seeds.stream().mapToDouble(value).max().orElse(Double.NaN);
  }

  /** Returns a table of all cells and policies: means over the seeds, the range of p99.9. */
  public static Table table(List<Result> results) {
    Table table =
        new Table(
            2,
            "cell",
            "policy",
            "mean",
            "p50",
            "p95",
            "p99",
            "p99.9",
            "over seeds",
            "max",
            "reads/s",
            "hottest",
            "messages",
            "extra work");
    bySeeds(results)
        .forEach(
            (key, seeds) ->
                table.row(
                    name(key.cell()),
                    key.policy(),
                    millis(seeds, Result::meanMillis),
                    millis(seeds, Result::p50Millis),
                    millis(seeds, Result::p95Millis),
                    millis(seeds, Result::p99Millis),
                    millis(seeds, Result::p999Millis),
                    Unit.PLAIN.format(least(seeds, Result::p999Millis))
                        + "–"
                        + Unit.PLAIN.format(most(seeds, Result::p999Millis)),
                    millis(seeds, Result::maxMillis),
                    Unit.COUNT.format(mean(seeds, Result::throughputPerSecond)),
                    Unit.RATIO.format(mean(seeds, Result::hottestServerLoad)),
                    Unit.PLAIN.format(mean(seeds, Result::messagesPerRead)),
                    Unit.SHARE.format(mean(seeds, Result::extraWork))));
    return table;
  }

  private static String millis(List<Result> seeds, ToDoubleFunction<Result> value) {
    return Unit.MILLISECONDS.format(mean(seeds, value));
  }

  static String name(Map<String, Object> cell) {
    List<String> parts = new ArrayList<>();
    cell.forEach((key, value) -> parts.add(key + "=" + value));
    return parts.isEmpty() ? "base" : String.join(" ", parts);
  }
}
