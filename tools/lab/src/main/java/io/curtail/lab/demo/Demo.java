/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.lab.Campaign;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.experiment.PauseCycle;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.Settings;
import io.curtail.lab.load.Policy;
import io.curtail.lab.report.CampaignReport;
import io.curtail.lab.scenario.PausedNodeScenario;
import io.curtail.lab.scenario.SlowCoordinatorScenario;
import io.curtail.lab.scenario.ZonesScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A short tour of the scenarios on one cluster of six nodes, for someone who sees Curtail first.
 */
public final class Demo {
  private static final String INDENT = "    ";
  private static final int LINE_CHARACTERS = 92;
  private static final int NODES = 6;
  private static final int PAIRS = 3;
  private static final int SECONDS = 5;
  private static final int WARM_UP_SECONDS = 40;

  private Demo() {}

  /** What is going to happen. */
  public static List<String> introduction() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "This starts six stock Cassandra nodes in three zones on this machine. Clients in the");
    lines.add("three zones read from them, with two load balancing policies that take turns:");
    lines.add("  stock-default          what the Java driver does out of the box");
    lines.add("  weighted-least-loaded  Curtail's driver plug-in");
    lines.add("Shown, each in turn:");
    for (Scenario scenario : scenarios()) {
      lines.add("");
      lines.add("  " + scenario.name());
      lines.addAll(wrapped(scenario.explanation()));
    }
    lines.add("");
    return lines;
  }

  private static List<String> wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(INDENT);
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() > LINE_CHARACTERS) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(INDENT);
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }

  private static List<Scenario> scenarios() {
    return List.of(new ZonesScenario(), new SlowCoordinatorScenario(), new PausedNodeScenario());
  }

  public static Campaign campaign(long seed, Progress progress) {
    Settings settings =
        Settings.builder()
            .nodes(NODES)
            .jit(Jit.C1)
            .pairs(PAIRS)
            .rates(List.of(600.0))
            .seconds(SECONDS)
            .pauseCycles(List.of(new PauseCycle(2, 3, 2)))
            .rows(2_000)
            .policies(List.of(Policy.STOCK_DEFAULT, Policy.WEIGHTED_LEAST_LOADED))
            .seed(seed)
            .build();
    return new Campaign(scenarios(), settings, OptionalInt.of(WARM_UP_SECONDS), progress);
  }

  /** What was seen, in plain words. */
  public static List<String> conclusion(CampaignReport report) {
    List<String> lines = new ArrayList<>();
    if (!report.isEmpty() && !report.isSuccess()) {
      lines.add("Other programs kept this machine busy, so take the numbers as a rough guide.");
    }
    if (report.isInterrupted()) {
      lines.add("The demo was interrupted; the rest was not measured.");
    }
    lines.add("More pairs make narrower intervals: ./curtail lab run zones --help");
    return lines;
  }
}
