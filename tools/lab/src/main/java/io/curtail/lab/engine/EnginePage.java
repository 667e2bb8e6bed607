/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.load.Mix;
import io.curtail.report.Axis;
import io.curtail.report.BarChart;
import io.curtail.report.IntervalChart;
import io.curtail.report.LineChart;
import io.curtail.report.Page;
import io.curtail.report.Series;
import io.curtail.report.Tile;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results as a page for people. */
final class EnginePage {
  private final EngineSettings settings;
  private final String cassandraVersion;
  private final EngineResults results;
  private final EngineReport report;

  EnginePage(
      EngineSettings settings,
      String cassandraVersion,
      EngineResults results,
      EngineReport report) {
    this.settings = settings;
    this.cassandraVersion = cassandraVersion;
    this.results = results;
    this.report = report;
  }

  Page page() {
    Page page =
        new Page(
            "Tables on RocksDB beside stock Cassandra",
            "Apache Cassandra "
                + cassandraVersion
                + " with Curtail's storage engine, and the same release at its best (trie memtables"
                + " off the heap, BTI, unified compaction). %,d %s, %s keys, the same heap and caches."
                    .formatted(settings.rows(), settings.table().description(), settings.keys()));
    if (report.isInterrupted()) {
      page.prose("The run was interrupted: this is what was finished.");
    }
    for (Mix mix : settings.mixes()) {
      if (settings.clients().stream().anyMatch(clients -> results.has(mix, clients))) {
        mix(page, mix);
      }
    }
    page.section("All numbers")
        .prose("Medians over the pairs.")
        .table(report.latencies())
        .prose(
            "What the nodes used, over all runs of a load. Requests that timed out are among the"
                + " others, with the time they took.")
        .table(report.costs())
        .prose("RocksDB divided by stock, pair by pair: median, smallest and largest.")
        .table(report.ratios())
        .prose(report.diskLine() + ".");
    method(page);
    return page;
  }

  private void mix(Page page, Mix mix) {
    page.section(mix.description()).tiles(tiles(mix)).chart(curves(mix)).chart(ratios(mix));
    page.chart(pauses(mix));
  }

  private List<Tile> tiles(Mix mix) {
    int best = results.stockBestClients(mix);
    Spread equal = results.throughputAtEqualP99(mix, best);
    double stock = results.pauseShare(Kind.STOCK, mix);
    double rocks = results.pauseShare(Kind.ROCKSDB, mix);
    Spread cpu = results.ratio(mix, best, Measured::cpuMicrosPerRequest);
    return List.of(
        new Tile(
            Unit.RATIO.format(equal.median()),
            "throughput at equal p99",
            "with the %d clients that stock answers most: %s"
                .formatted(best, equal.format(Unit.RATIO::format)),
            tone(equal, true)),
        new Tile(
            Unit.SHARE.format(rocks),
            "of the time in garbage collection",
            Unit.SHARE.format(stock) + " with stock",
            rocks < stock ? Tile.Tone.GOOD : Tile.Tone.BAD),
        new Tile(
            Unit.RATIO.format(cpu.median()),
            "processor time a request",
            cpu.format(Unit.RATIO::format),
            tone(cpu, false)));
  }

  private static Tile.Tone tone(Spread ratio, boolean moreIsBetter) {
    if (ratio.lowest() > 1) {
      return moreIsBetter ? Tile.Tone.GOOD : Tile.Tone.BAD;
    }
    if (ratio.highest() < 1) {
      return moreIsBetter ? Tile.Tone.BAD : Tile.Tone.GOOD;
    }
    return Tile.Tone.NEUTRAL;
  }

  private LineChart curves(Mix mix) {
    LineChart chart =
        new LineChart(
            "Throughput and p99",
            Axis.linear("requests a second", Unit.RATE),
            Axis.logarithmic("p99", Unit.MILLISECONDS));
    for (Kind kind : Kind.values()) {
      List<double[]> points = new ArrayList<>();
      for (int clients : settings.clients()) {
        if (results.has(mix, clients)) {
          points.add(
              new double[] {
                results.of(kind, mix, clients, Measured::requestsPerSecond).median(),
                results.of(kind, mix, clients, run -> run.millis(99)).median()
              });
        }
      }
      points.sort((a, b) -> Double.compare(a[0], b[0]));
      chart.add(
          Series.of(
                  kind.label(),
                  points.stream().mapToDouble(point -> point[0]).toArray(),
                  points.stream().mapToDouble(point -> point[1]).toArray())
              .colour(colour(kind)));
    }
    return chart.caption(
        "Each point is a number of clients that send one request after the other; right and low is"
            + " better.");
  }

  private static int colour(Kind kind) {
    return kind == Kind.STOCK ? 1 : 2;
  }

  private IntervalChart ratios(Mix mix) {
    IntervalChart chart =
        new IntervalChart("RocksDB divided by stock", Axis.logarithmic("ratio", Unit.RATIO), 1);
    for (int clients : settings.clients()) {
      if (results.has(mix, clients)) {
        add(chart, mix, clients, "throughput", 1, Measured::requestsPerSecond);
        add(chart, mix, clients, "p99", 2, run -> run.millis(99));
      }
    }
    return chart.caption("Median of the pairs, from the smallest to the largest.");
  }

  private void add(
      IntervalChart chart,
      Mix mix,
      int clients,
      String what,
      int colour,
      ToDoubleFunction<Measured> number) {
    Spread ratio = results.ratio(mix, clients, number);
    chart.add(
        what + ", " + clients + " clients",
        colour,
        ratio.median(),
        ratio.lowest(),
        ratio.highest());
  }

  private BarChart pauses(Mix mix) {
    List<Integer> clients =
        settings.clients().stream().filter(number -> results.has(mix, number)).toList();
    BarChart chart =
        BarChart.grouped(
            "Share of the time in garbage collection",
            Axis.linear("share", Unit.SHARE),
            clients.stream().map(number -> number + " clients").toList());
    for (Kind kind : Kind.values()) {
      chart.add(
          kind.label(),
          colour(kind),
          clients.stream()
              .map(number -> results.of(kind, mix, number, Measured::pauseShare).median())
              .toArray(Double[]::new));
    }
    return chart;
  }

  private void method(Page page) {
    page.section("How it was measured")
        .prose(
            "One node of each kind on one machine, which also runs the clients, all through the"
                + " stock Java driver. While one node is measured the other stands still (SIGSTOP);"
                + " the order changes from pair to pair; %d pairs, runs of %d s. After writes a node"
                    .formatted(settings.pairs(), settings.seconds())
                + " is left alone until its flushes and compactions are done, which counts as"
                + " written bytes but not as time.")
        .prose(
            "Heap %d MiB (G1 with Cassandra's flags) and %d MiB of caches and write buffers outside"
                    .formatted(settings.heapMebibytes(), settings.offHeapMebibytes())
                + " of it for each. "
                + (settings.memoryMebibytes() == 0
                    ? "No other limit of memory."
                    : "No more than %d MiB of memory in all, the system's file cache included."
                        .formatted(settings.memoryMebibytes()))
                + " Latencies of a closed loop: they say what a node can do, not what users of an"
                + " overloaded one would see.");
  }
}
