/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.soak;

import io.curtail.lab.LabReport;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Settings;
import io.curtail.lab.experiment.Timetable;
import io.curtail.lab.report.MachineFacts;
import io.curtail.lab.soak.SoakResult.NodeAtRest;
import io.curtail.lab.soak.SoakResult.Round;
import io.curtail.report.Axis;
import io.curtail.report.LineChart;
import io.curtail.report.Page;
import io.curtail.report.Series;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What a soak saw, as files and as a table for the terminal. Immutable. */
public final class SoakReport implements LabReport {
  private final SoakResult result;
  private final Settings settings;
  private final boolean interrupted;

  /** The layout of {@code report.json}. */
  private record Data(
      String tool,
      Map<String, String> versions,
      Map<String, String> machine,
      ServerMode mode,
      boolean interrupted,
      boolean flat,
      List<String> violations,
      List<Round> rounds) {}

  SoakReport(SoakResult result, Settings settings, boolean interrupted) {
    this.result = result;
    this.settings = settings;
    this.interrupted = interrupted;
  }

  @Override
  public boolean isEmpty() {
    return result.rounds().isEmpty();
  }

  @Override
  public boolean isInterrupted() {
    return interrupted;
  }

  /** Whether nothing grew, nothing was left behind and nothing failed. */
  @Override
  public boolean isSuccess() {
    return result.violations().isEmpty();
  }

  @Override
  public Object data() {
    return new Data(
        "curtail lab run soak",
        MachineFacts.versions(settings.cassandraVersion()),
        MachineFacts.machine(),
        soaked(),
        interrupted,
        isSuccess(),
        result.violations(),
        result.rounds());
  }

  private ServerMode soaked() {
    return settings.serverModes().get(settings.serverModes().size() - 1);
  }

  private boolean isControl() {
    return soaked().equals(ServerMode.DYNAMIC_SNITCH);
  }

  /** The verdict and a line for each node. */
  @Override
  public String toText() {
    return verdict() + "\n" + table().toText();
  }

  private String verdict() {
    String length = Timetable.words(last().endSecond());
    String summary =
        "%d requests in %s, %d failed".formatted(result.requests(), length, result.failed());
    return isSuccess()
        ? "FLAT: " + summary + "; nothing grew and nothing was left behind"
        : "NOT FLAT: " + summary + "; " + String.join("; ", result.violations());
  }

  private Round last() {
    return result.rounds().get(result.rounds().size() - 1);
  }

  private Table table() {
    Table table =
        new Table(
            1,
            "node",
            "live heap, first",
            "last",
            "growth",
            "threads, first",
            "last",
            "more of",
            "Cassandra's workers, first",
            "last",
            "outstanding at rest",
            "exceptions");
    for (String node : result.nodes()) {
      double[] heap = result.overTime(node, NodeAtRest::liveHeapBytes);
      double[] threads = result.overTime(node, NodeAtRest::threadsButWorkers);
      double[] workers = result.overTime(node, NodeAtRest::workers);
      double[] outstanding = result.overTime(node, NodeAtRest::outstanding);
      double[] errors = result.overTime(node, NodeAtRest::pluginErrors);
      int end = heap.length - 1;
      table.row(
          node,
          Unit.BYTES.format(heap[0]),
          Unit.BYTES.format(heap[end]),
          Unit.BYTES.format(result.growth(node, NodeAtRest::liveHeapBytes)),
          Unit.COUNT.format(threads[0]),
          Unit.COUNT.format(threads[end]),
          pools(result.newThreads(node)),
          Unit.COUNT.format(workers[0]),
          Unit.COUNT.format(workers[end]),
          isControl() ? "no plug-in" : Unit.COUNT.format(outstanding[end]),
          isControl() ? "no plug-in" : Unit.COUNT.format(errors[end]));
    }
    return table;
  }

  /** Such as "HintsDispatcher 2, CompactionExecutor 1". */
  private static String pools(Map<String, Integer> threads) {
    return threads.entrySet().stream()
        .map(pool -> pool.getKey() + " " + pool.getValue())
        .collect(Collectors.joining(", "));
  }

  @Override
  public Page page() {
    Page page =
        new Page(
            "Soak of "
                + (isControl()
                    ? "stock nodes, without curtail-server"
                    : "curtail-server, mode " + soaked().name()),
            "Real Apache Cassandra "
                + settings.cassandraVersion()
                + " nodes under load in rounds: all well, a slow disk, pauses"
                + (isControl() ? "" : ", modes switched")
                + ". After each round the nodes rest, make a full collection, and are looked at.");
    page.prose(verdict())
        .table(table())
        .prose(
            "Flat means: from the middle third of the rounds to the last the median live heap of no"
                + " node grew by more than "
                + Unit.SHARE.format(SoakResult.HEAP_GROWTH_LIMIT)
                + " and its threads by more than "
                + SoakResult.THREAD_GROWTH_LIMIT
                + ", no read was counted as outstanding at rest, no request failed, no hook threw. The"
                + " workers that Cassandra's stages share are not judged: it starts one when all are"
                + " busy, as after a pause, and never ends one, with Curtail or without; how many a"
                + " stock node comes to is what a soak with --server stock tells.")
        .chart(chart("Live heap after each round", Unit.BYTES, NodeAtRest::liveHeapBytes))
        .chart(
            chart("Threads but for Cassandra's workers", Unit.COUNT, NodeAtRest::threadsButWorkers))
        .chart(chart("Workers of Cassandra's stages", Unit.COUNT, NodeAtRest::workers))
        .chart(latency());
    if (!isControl()) {
      page.chart(chart("Outstanding reads at rest", Unit.COUNT, NodeAtRest::outstanding));
    }
    return page.details("Every round", rounds());
  }

  private LineChart chart(String title, Unit unit, ToDoubleFunction<NodeAtRest> of) {
    LineChart chart =
        new LineChart(title, Axis.linear("time", Unit.SECONDS), Axis.linear("", unit).from(0));
    for (String node : result.nodes()) {
      chart.add(Series.of(node, result.endSeconds(), result.overTime(node, of)));
    }
    return chart;
  }

  private LineChart latency() {
    LineChart chart =
        new LineChart(
            "Latency of each round",
            Axis.linear("time", Unit.SECONDS),
            Axis.logarithmic("latency", Unit.MILLISECONDS));
    double[] seconds = result.endSeconds();
    chart.add(Series.of("p50", seconds, values(Round::p50Millis)));
    chart.add(Series.of("p99", seconds, values(Round::p99Millis)));
    return chart.add(Series.of("p99.9", seconds, values(Round::p999Millis)));
  }

  private double[] values(ToDoubleFunction<Round> of) {
    return result.rounds().stream().mapToDouble(of).toArray();
  }

  private Table rounds() {
    Table table =
        new Table(2, "until", "what", "requests", "failed", "p50", "p99", "p99.9", "at rest");
    for (Round round : result.rounds()) {
      table.row(
          Unit.SECONDS.format(round.endSecond()),
          round.what(),
          Unit.COUNT.format((double) round.requests()),
          round.errors().toString(),
          Unit.MILLISECONDS.format(round.p50Millis()),
          Unit.MILLISECONDS.format(round.p99Millis()),
          Unit.MILLISECONDS.format(round.p999Millis()),
          words(round.nodes(), isControl()));
    }
    return table;
  }

  /** Such as "heap 61 60 MiB, threads 42 42, workers 29 37, outstanding 0 0". */
  static String words(List<NodeAtRest> nodes, boolean isControl) {
    String words =
        "heap %s MiB, threads %s, workers %s"
            .formatted(
                joined(nodes, node -> Math.round(node.liveHeapBytes() / 1048576.0)),
                joined(nodes, NodeAtRest::threadsButWorkers),
                joined(nodes, NodeAtRest::workers));
    return isControl ? words : words + ", outstanding " + joined(nodes, NodeAtRest::outstanding);
  }

  private static String joined(List<NodeAtRest> nodes, ToLongFunction<NodeAtRest> of) {
    return nodes.stream()
        .map(node -> Long.toString(of.applyAsLong(node)))
        .collect(Collectors.joining(" "));
  }
}
