/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.Budget;
import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.Range;
import io.curtail.report.Table;
import io.curtail.simulator.EventLoopSpeed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The simulator's event loop beside the JDK's priority queue. */
@Command(
    name = "events",
    description = {
      "Measures how many events a second the simulator's event loop does on one core, beside "
          + "java.util.PriorityQueue, in turns. It may not be the slower one."
    },
    footer = {"", "Exit code 1 if the budget is not kept."})
final class BenchEventsCommand implements Callable<Integer> {
  private static final int MOST = 1_000_000_000;
  private static final double MOST_TIMES = 1;

  @Mixin private BenchOutput output;
  @Mixin private PairsOption pairs = new PairsOption(7);

  @Option(names = "--pending", defaultValue = "1000", description = "Events pending at any time.")
  private int pending;

  @Option(names = "--events", defaultValue = "5000000", description = "Events in a turn.")
  private int events;

  @Override
  public Integer call() {
    Range.check("--pending", pending, 1, 10_000_000);
    Range.check("--events", events, 1, MOST);
    output.begin();
    List<EventLoopSpeed.Turn> turns = new EventLoopSpeed(pending, events).run(pairs.pairs());
    Ratios rate =
        Ratios.of(
            turns,
            EventLoopSpeed.Turn::eventsPerSecond,
            EventLoopSpeed.Turn::priorityQueueEventsPerSecond);
    Table table =
        new Table(
                1,
                pending + " pending",
                "java.util.PriorityQueue",
                "curtail",
                "ratio",
                "from",
                "to")
            .row(rate.row("million events/s", 1e-6));
    return output.print(
        Map.of("pending", pending, "events", events, "turns", turns),
        table,
        List.of(
            new Budget("time of an event over PriorityQueue's", 1 / rate.median(), MOST_TIMES)));
  }
}
