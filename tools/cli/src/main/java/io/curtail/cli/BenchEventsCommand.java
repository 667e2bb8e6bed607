/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.report.Json;
import io.curtail.report.Table;
import io.curtail.simulator.EventLoopSpeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The simulator's event loop beside the JDK's priority queue. */
@Command(
    name = "events",
    description = {
      "Measures how many events a second the simulator's event loop does on one core, beside "
          + "java.util.PriorityQueue, in turns. The budget is 5 million at 1,000 pending."
    })
final class BenchEventsCommand implements Callable<Integer> {
  private static final double LEAST_PER_SECOND = 5e6;

  @Option(names = "--pending", defaultValue = "1000", description = "Events pending at any time.")
  private int pending;

  @Option(names = "--turns", defaultValue = "7", description = "Turns of each.")
  private int turns;

  @Option(names = "--events", defaultValue = "5000000", description = "Events in a turn.")
  private int events;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all results to FILE.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    if (turns < 1 || turns > 1_000) {
      throw new IllegalArgumentException("--turns must be from 1 to 1000");
    }
    OutputFile.check(json);
    List<EventLoopSpeed.Turn> measured = new EventLoopSpeed(pending, events).run(turns);
    if (json != null) {
      Json.write(json, Map.of("pending", pending, "events", events, "turns", measured));
    }
    Table table = new Table(1, pending + " pending, million events/s", "median", "from", "to");
    double[] own = sorted(measured, EventLoopSpeed.Turn::eventsPerSecond);
    row(table, "curtail", own, 1e-6);
    row(
        table,
        "java.util.PriorityQueue",
        sorted(measured, EventLoopSpeed.Turn::priorityQueueEventsPerSecond),
        1e-6);
    row(
        table,
        "ratio",
        sorted(measured, turn -> turn.eventsPerSecond() / turn.priorityQueueEventsPerSecond()),
        1);
    System.out.print(table.toText());
    boolean within = pending != 1_000 || own[own.length / 2] >= LEAST_PER_SECOND;
    System.out.println(within ? "Within the budget." : "Below the budget of 5 million.");
    return 0;
  }

  private static double[] sorted(
      List<EventLoopSpeed.Turn> turns, ToDoubleFunction<EventLoopSpeed.Turn> value) {
    return turns.stream().mapToDouble(value).sorted().toArray();
  }

  private static void row(Table table, String name, double[] sorted, double scale) {
    table.row(
        name,
        number(sorted[sorted.length / 2] * scale),
        number(sorted[0] * scale),
        number(sorted[sorted.length - 1] * scale));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
