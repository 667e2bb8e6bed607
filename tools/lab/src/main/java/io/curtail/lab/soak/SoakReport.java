/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.soak;

import io.curtail.campaign.Progress;
import io.curtail.campaign.Report;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.report.MachineFacts;
import io.curtail.lab.soak.SoakResult.NodeAtRest;
import io.curtail.lab.soak.SoakResult.Round;
import io.curtail.report.Axis;
import io.curtail.report.Columns;
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
record SoakReport(SoakResult result, ScenarioSettings settings, boolean isInterrupted)
    implements Report {

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

  @Override
  public boolean isEmpty() {
    return result.rounds().isEmpty();
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
        isInterrupted,
        isSuccess(),
        result.violations(),
        result.rounds());
  }

  private ServerMode soaked() {
    return settings.snitchAndC3().get(settings.snitchAndC3().size() - 1);
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
    String length = Progress.words(last().endSecond());
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
    Columns<String> columns = new Columns<>();
    columns.add("node", node -> node);
    columns.add(
        "live heap, first", node -> Unit.BYTES.format(first(node, NodeAtRest::liveHeapBytes)));
    columns.add("last", node -> Unit.BYTES.format(last(node, NodeAtRest::liveHeapBytes)));
    columns.add(
        "growth", node -> Unit.BYTES.format(result.growth(node, NodeAtRest::liveHeapBytes)));
    addFirstAndLast(columns, "threads", NodeAtRest::threadsButWorkers);
    columns.add("more of", node -> pools(result.newThreads(node)));
    addFirstAndLast(columns, "Cassandra's workers", NodeAtRest::workers);
    columns.add("outstanding at rest", node -> ofPlugIn(node, NodeAtRest::outstanding));
    columns.add("exceptions", node -> ofPlugIn(node, NodeAtRest::pluginErrors));
    return columns.table(1, result.nodes());
  }

  private void addFirstAndLast(
      Columns<String> columns, String title, ToDoubleFunction<NodeAtRest> of) {
    columns.add(title + ", first", node -> Unit.COUNT.format(first(node, of)));
    columns.add("last", node -> Unit.COUNT.format(last(node, of)));
  }

  private String ofPlugIn(String node, ToDoubleFunction<NodeAtRest> of) {
    return isControl() ? "no plug-in" : Unit.COUNT.format(last(node, of));
  }

  private double first(String node, ToDoubleFunction<NodeAtRest> of) {
    return result.overTime(node, of)[0];
  }

  private double last(String node, ToDoubleFunction<NodeAtRest> of) {
    double[] values = result.overTime(node, of);
    return values[values.length - 1];
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
    return new Columns<Round>()
        .add("until", round -> Unit.SECONDS.format(round.endSecond()))
        .add("what", Round::what)
        .add("requests", round -> Unit.COUNT.format((double) round.requests()))
        .add("failed", round -> round.errors().toString())
        .add("p50", round -> Unit.MILLISECONDS.format(round.p50Millis()))
        .add("p99", round -> Unit.MILLISECONDS.format(round.p99Millis()))
        .add("p99.9", round -> Unit.MILLISECONDS.format(round.p999Millis()))
        .add("at rest", round -> words(round.nodes(), isControl()))
        .table(2, result.rounds());
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
