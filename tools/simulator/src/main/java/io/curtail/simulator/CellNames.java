/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Short names of the cells of one table: their experiment if there are several, and the parameters
 * in which they differ. Immutable.
 */
final class CellNames {
  private final boolean severalExperiments;
  private final Set<String> varied;

  CellNames(List<Result> results) {
    severalExperiments = results.stream().map(Result::experiment).distinct().count() > 1;
    Set<Map<String, Object>> cells =
        results.stream().map(Result::cell).collect(Collectors.toUnmodifiableSet());
    varied = new TreeSet<>();
    for (Map<String, Object> cell : cells) {
      for (String key : cell.keySet()) {
        if (cells.stream().anyMatch(other -> !Objects.equals(other.get(key), cell.get(key)))) {
          varied.add(key);
        }
      }
    }
  }

  /** Returns a cell's name; its experiment's alone if nothing sets it apart. */
  String name(String experiment, Map<String, Object> cell) {
    List<String> parts = new ArrayList<>();
    cell.forEach(
        (key, value) -> {
          if (varied.contains(key)) {
            parts.add(key + "=" + value);
          }
        });
    if (severalExperiments || parts.isEmpty()) {
      parts.add(0, experiment);
    }
    return String.join(" ", parts);
  }

  String name(Result result) {
    return name(result.experiment(), result.cell());
  }
}
