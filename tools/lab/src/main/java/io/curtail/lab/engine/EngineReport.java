/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.LabReport;
import io.curtail.lab.load.Mix;
import io.curtail.lab.report.MachineFacts;
import io.curtail.report.Json;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** What was found, as files and as tables for the terminal. Immutable. */
public final class EngineReport implements LabReport {
  private static final int LAYOUT = 1;
  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99, 100};

  private final EngineSettings settings;
  private final String cassandraVersion;
  private final Map<Kind, Long> diskBytes;
  private final EngineResults results;
  private final boolean interrupted;

  EngineReport(
      EngineSettings settings,
      String cassandraVersion,
      Map<Kind, Long> diskBytes,
      List<Measured> runs,
      boolean interrupted) {
    this.settings = settings;
    this.cassandraVersion = cassandraVersion;
    this.diskBytes = diskBytes;
    this.results = new EngineResults(settings, runs);
    this.interrupted = interrupted;
  }

  @Override
  public boolean isEmpty() {
    return results.runs().isEmpty();
  }

  @Override
  public boolean isInterrupted() {
    return interrupted;
  }

  @Override
  public boolean isSuccess() {
    return !isEmpty();
  }

  /** Writes {@code report.json} and {@code report.html} into the folder. */
  @Override
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Json.write(folder.resolve("report.json"), data());
    new EnginePage(settings, cassandraVersion, results, this)
        .page()
        .write(folder.resolve("report.html"));
  }

  @Override
  public String toJson() {
    return Json.of(data());
  }

  /** The results in plain text. */
  @Override
  public String toText() {
    return "\n"
        + latencies().toText()
        + "\n"
        + costs().toText()
        + "\n"
        + ratios().toText()
        + "\n"
        + diskLine()
        + "\n";
  }

  String diskLine() {
    List<String> parts = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (diskBytes.containsKey(kind)) {
        parts.add(kind.label() + " " + Unit.BYTES.format((double) diskBytes.get(kind)));
      }
    }
    return "On disk after loading "
        + Unit.BYTES.format((double) settings.dataBytes())
        + " (keys aside): "
        + String.join(", ", parts);
  }

  /** Throughput and latency, medians over the pairs. */
  Table latencies() {
    Table table =
        new Table(
            3,
            "load",
            "clients",
            "node",
            "requests/s",
            "p50",
            "p99",
            "p99.9",
            "read p99",
            "write p99");
    for (Mix mix : settings.mixes()) {
      for (int clients : settings.clients()) {
        if (!results.has(mix, clients)) {
          continue;
        }
        for (Kind kind : Kind.values()) {
          table.row(
              mix.description(),
              Integer.toString(clients),
              kind.label(),
              Unit.COUNT.format(median(kind, mix, clients, Measured::requestsPerSecond)),
              millis(kind, mix, clients, run -> run.millis(50)),
              millis(kind, mix, clients, run -> run.millis(99)),
              millis(kind, mix, clients, run -> run.millis(99.9)),
              millis(kind, mix, clients, run -> Measured.millis(run.result().reads(), 99)),
              millis(kind, mix, clients, run -> Measured.millis(run.result().writes(), 99)));
        }
      }
    }
    return table;
  }

  private String millis(Kind kind, Mix mix, int clients, ToDoubleFunction<Measured> number) {
    double value = median(kind, mix, clients, number);
    return Double.isNaN(value) ? "" : Unit.MILLISECONDS.format(value);
  }

  private double median(Kind kind, Mix mix, int clients, ToDoubleFunction<Measured> number) {
    return results.of(kind, mix, clients, number).median();
  }

  /** What the node used, over all runs of a mix. */
  Table costs() {
    Table table =
        new Table(
            2,
            "load",
            "node",
            "GC share of time",
            "GC a 1000 requests",
            "heap a request",
            "CPU a request",
            "written a byte",
            "read from disk",
            "memory",
            "timeouts");
    for (Mix mix : settings.mixes()) {
      for (Kind kind : Kind.values()) {
        List<Measured> runs =
            results.runs().stream().filter(r -> r.kind() == kind && r.mix() == mix).toList();
        if (runs.isEmpty()) {
          continue;
        }
        table.row(
            mix.description(),
            kind.label(),
            Unit.SHARE.format(results.pauseShare(kind, mix)),
            Unit.MILLISECONDS.format(results.pauseMicrosPerRequest(kind, mix)),
            Unit.BYTES.format(results.perRequest(kind, mix, run -> run.cost().allocatedBytes())),
            Unit.MILLISECONDS.format(
                results.perRequest(kind, mix, run -> run.cost().cpuNanos()) / 1e6),
            mix.readShare() < 1 ? Unit.PLAIN.format(results.writeAmplification(kind, mix)) : "",
            Unit.BYTES.format(runs.stream().mapToDouble(run -> run.cost().readBytes()).sum()),
            Unit.BYTES.format(runs.stream().mapToDouble(Measured::residentBytes).max().orElse(0)),
            Long.toString(runs.stream().mapToLong(run -> run.result().timeouts()).sum()));
      }
    }
    return table;
  }

  /** RocksDB divided by stock, with the smallest and the largest pair. */
  Table ratios() {
    Table table =
        new Table(
            2,
            "rocksdb / stock",
            "clients",
            "requests/s",
            "p99",
            "p99.9",
            "CPU a request",
            "requests/s at equal p99");
    for (Mix mix : settings.mixes()) {
      for (int clients : settings.clients()) {
        if (results.has(mix, clients)) {
          table.row(
              mix.description(),
              Integer.toString(clients),
              ratio(mix, clients, Measured::requestsPerSecond),
              ratio(mix, clients, run -> run.millis(99)),
              ratio(mix, clients, run -> run.millis(99.9)),
              ratio(mix, clients, Measured::cpuMicrosPerRequest),
              results.throughputAtEqualP99(mix, clients).format(Unit.RATIO::format));
        }
      }
    }
    return table;
  }

  private String ratio(Mix mix, int clients, ToDoubleFunction<Measured> number) {
    return results.ratio(mix, clients, number).format(Unit.RATIO::format);
  }

  EngineData data() {
    Map<String, Long> disk = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      disk.put(kind.label(), diskBytes.getOrDefault(kind, 0L));
    }
    List<EngineData.LoadData> loads = new ArrayList<>();
    for (Mix mix : settings.mixes()) {
      for (int clients : settings.clients()) {
        if (results.has(mix, clients)) {
          loads.add(load(mix, clients));
        }
      }
    }
    return new EngineData(
        "curtail lab run engine-vs-stock",
        LAYOUT,
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        interrupted,
        MachineFacts.versions(cassandraVersion),
        MachineFacts.machine(),
        settings,
        disk,
        loads,
        results.runs().stream().map(this::run).toList());
  }

  private EngineData.LoadData load(Mix mix, int clients) {
    Map<String, Spread> ratios = new LinkedHashMap<>();
    ratios.put("requestsPerSecond", results.ratio(mix, clients, Measured::requestsPerSecond));
    ratios.put("p50", results.ratio(mix, clients, run -> run.millis(50)));
    ratios.put("p99", results.ratio(mix, clients, run -> run.millis(99)));
    ratios.put("p99.9", results.ratio(mix, clients, run -> run.millis(99.9)));
    ratios.put("pauseShare", results.ratio(mix, clients, Measured::pauseShare));
    ratios.put("pausesPerRequest", results.ratio(mix, clients, Measured::pauseMicrosPerRequest));
    ratios.put("heapPerRequest", results.ratio(mix, clients, Measured::heapBytesPerRequest));
    ratios.put("cpuPerRequest", results.ratio(mix, clients, Measured::cpuMicrosPerRequest));
    return new EngineData.LoadData(
        mix.description(), clients, ratios, results.throughputAtEqualP99(mix, clients));
  }

  private EngineData.RunData run(Measured run) {
    boolean writes = run.result().writes().getTotalCount() > 0;
    Cost cost = run.cost();
    return new EngineData.RunData(
        run.kind().label(),
        run.mix().description(),
        run.clients(),
        run.pair(),
        run.result().requests(),
        run.result().timeouts(),
        run.result().seconds(),
        run.requestsPerSecond(),
        percentiles(run.result().reads()),
        percentiles(run.result().writes()),
        cost.pauses().count(),
        cost.pauses().nanos() / 1e6,
        cost.pauses().longestNanos() / 1e6,
        run.pauseShare(),
        run.pauseMicrosPerRequest(),
        run.heapBytesPerRequest(),
        run.cpuMicrosPerRequest(),
        cost.writtenBytes(),
        run.debt().writtenBytes(),
        cost.readBytes(),
        run.debt().cpuNanos() / 1e9,
        writes ? run.writeAmplification(settings.table().rowBytes()) : null,
        run.residentBytes());
  }

  private static Map<String, Double> percentiles(Histogram histogram) {
    if (histogram.getTotalCount() == 0) {
      return null;
    }
    Map<String, Double> values = new LinkedHashMap<>();
    for (double percentile : PERCENTILES) {
      String name =
          percentile == 100 ? "max" : "p" + Double.toString(percentile).replaceAll("\\.0$", "");
      values.put(name, histogram.getValueAtPercentile(percentile) / 1e3);
    }
    return values;
  }
}
