/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A family of cells.
 *
 * @param shows what a reader learns from it
 * @param axis the parameter to draw results against, or null
 * @param keys the parameters that tell its cells apart
 */
public record Experiment(
    String name,
    String shows,
    String axis,
    List<String> keys,
    List<SimulatedScenario> cells,
    List<String> policies) {

  /** Returns the cell's parameters: those of the family, and what else the user changed. */
  Map<String, Object> parameters(SimulatedScenario cell) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    keys.forEach(key -> parameters.put(key, cell.get(key)));
    cell.changes().forEach(parameters::putIfAbsent);
    return parameters;
  }

  /**
   * Returns the experiment with parameters set. Parameters of the family select the cells that have
   * these values, if any do; in those that are left all are set, and cells that thereby become the
   * same are one.
   */
  public Experiment with(Map<String, String> changes) {
    Map<String, String> ofFamily = new LinkedHashMap<>(changes);
    ofFamily.keySet().retainAll(keys);
    List<SimulatedScenario> selected =
        cells.stream()
            .filter(cell -> cell.with(ofFamily).changes().equals(cell.changes()))
            .toList();
    Map<Map<String, Object>, SimulatedScenario> distinct = new LinkedHashMap<>();
    for (SimulatedScenario cell : selected.isEmpty() ? cells : selected) {
      SimulatedScenario changed = cell.with(changes);
      distinct.putIfAbsent(changed.changes(), changed);
    }
    return new Experiment(name, shows, axis, keys, List.copyOf(distinct.values()), policies);
  }

  /** Returns every combination of the values, on top of a scenario. */
  static List<SimulatedScenario> grid(SimulatedScenario base, Map<String, List<?>> axes) {
    List<SimulatedScenario> cells = List.of(base);
    for (Map.Entry<String, List<?>> axis : axes.entrySet()) {
      List<SimulatedScenario> next = new ArrayList<>();
      for (SimulatedScenario cell : cells) {
        for (Object value : axis.getValue()) {
          next.add(cell.with(axis.getKey(), value));
        }
      }
      cells = next;
    }
    return cells;
  }
}
