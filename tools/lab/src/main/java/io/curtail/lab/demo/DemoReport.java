/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.campaign.Report;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.report.LatencyChart;
import io.curtail.report.Page;
import io.curtail.report.Table;
import java.util.List;

/**
 * The demo's table, and a page of it. Immutable.
 *
 * @param results of acts that were measured, labelled with the act's name
 */
record DemoReport(
    List<Act> acts, List<Scene> scenes, List<ConditionResult> results, boolean isInterrupted)
    implements Report {
  private static final String LEAD =
      "Three real Cassandra nodes on this machine, stock and Curtail in turns, with faults in slow"
          + " motion: delays are many times as long as real ones, so that they stand far above what"
          + " a busy machine does by itself.";

  DemoReport {
    scenes = List.copyOf(scenes);
    results = List.copyOf(results);
  }

  @Override
  public boolean isEmpty() {
    return scenes.isEmpty();
  }

  /** Whether every act was played, and no row was lost. */
  @Override
  public boolean isSuccess() {
    return scenes.size() == acts.size()
        && scenes.stream().noneMatch(scene -> scene.seen().equals(KilledNodeAct.LOST));
  }

  @Override
  public String toText() {
    return "\n" + table().toText() + (isInterrupted ? "\ninterrupted: not all was shown\n" : "");
  }

  private Table table() {
    Table table =
        new Table(2, "what happened", "measured", "stock", "Curtail", "seen").endingInWords();
    scenes.forEach(
        scene ->
            table.row(scene.act(), scene.measure(), scene.stock(), scene.curtail(), scene.seen()));
    return table;
  }

  @Override
  public Data data() {
    return new Data("curtail demo", 1, isInterrupted, scenes);
  }

  record Data(String tool, int layout, boolean interrupted, List<Scene> scenes) {}

  @Override
  public Page page() {
    Page page = new Page("Curtail's demo", LEAD).table(table());
    for (Act act : acts) {
      page.heading(act.name()).prose(act.explanation());
      results.stream()
          .filter(result -> result.condition().label().equals(act.name()))
          .forEach(result -> page.chart(LatencyChart.of(result)));
    }
    return page;
  }
}
