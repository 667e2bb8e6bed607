/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Results of several seeds as one: means, with the range over the seeds. */
final class Summary {
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
  static Table table(List<Result> results) {
    CellNames names = new CellNames(results);
    Columns<Map.Entry<Key, List<Result>>> columns = new Columns<>();
    columns
        .add("cell", group -> names.name(group.getValue().get(0)))
        .add("policy", group -> group.getKey().policy())
        .add("mean", group -> mean(group, Unit.MILLISECONDS, Result::meanMillis))
        .add("p50", group -> mean(group, Unit.MILLISECONDS, Result::p50Millis))
        .add("p95", group -> mean(group, Unit.MILLISECONDS, Result::p95Millis))
        .add("p99", group -> mean(group, Unit.MILLISECONDS, Result::p99Millis))
        .add("p99.9", group -> mean(group, Unit.MILLISECONDS, Result::p999Millis))
        .add("over seeds", group -> range(group.getValue(), Result::p999Millis))
        .add("max", group -> mean(group, Unit.MILLISECONDS, Result::maxMillis))
        .add("reads/s", group -> mean(group, Unit.COUNT, Result::throughputPerSecond))
        .add("hottest", group -> mean(group, Unit.RATIO, Result::hottestServerLoad))
        .add("messages", group -> mean(group, Unit.PLAIN, Result::messagesPerRead))
        .add("extra work", group -> mean(group, Unit.SHARE, Result::extraWork));
    if (results.stream().anyMatch(result -> result.lost() > 0)) {
      // They are in no percentile.
      columns.add("lost", group -> mean(group, Unit.COUNT, Result::lost));
    }
    return columns.table(2, bySeeds(results).entrySet());
  }

  private static String mean(
      Map.Entry<Key, List<Result>> group, Unit unit, ToDoubleFunction<Result> value) {
    return unit.format(mean(group.getValue(), value));
  }

  private static String range(List<Result> seeds, ToDoubleFunction<Result> value) {
    return Unit.PLAIN.format(least(seeds, value)) + "–" + Unit.PLAIN.format(most(seeds, value));
  }

  static String name(Map<String, Object> cell) {
    List<String> parts = new ArrayList<>();
    cell.forEach((key, value) -> parts.add(key + "=" + value));
    return parts.isEmpty() ? "base" : String.join(" ", parts);
  }
}
