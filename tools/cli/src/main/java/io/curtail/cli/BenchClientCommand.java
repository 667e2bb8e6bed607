/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.benchmarks.client.ClientRate;
import io.curtail.benchmarks.client.ClientRates;
import io.curtail.report.Json;
import io.curtail.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The highest rate of one session against many simulated nodes. */
@Command(
    name = "client",
    description = {
      "Measures the highest rate that one session sustains against many nodes, and the client's "
          + "processor time a request: the driver's Default policy and Curtail's.",
      "The nodes are played by Simulacron in another process on this machine, which takes its share "
          + "of the processors: the ratio of processor times says most."
    })
final class BenchClientCommand implements Callable<Integer> {
  @Option(names = "--nodes", defaultValue = "192", description = "Simulated nodes, 3 to 400.")
  private int nodes;

  @Option(names = "--pairs", defaultValue = "7", description = "Pairs of runs.")
  private int pairs;

  @Option(names = "--seconds", defaultValue = "5", description = "Length of a run.")
  private int seconds;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all results to FILE.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    if (nodes < 3 || nodes > 400) {
      throw new IllegalArgumentException("--nodes must be from 3 to 400");
    }
    if (pairs < 1 || pairs > 100 || seconds < 1 || seconds > 60) {
      throw new IllegalArgumentException("--pairs must be from 1 to 100, --seconds from 1 to 60");
    }
    OutputFile.check(json);
    List<ClientRate> rates =
        new ClientRates(nodes, pairs, seconds).run(step -> System.err.println("  " + step));
    if (json != null) {
      Json.write(json, Map.of("nodes", nodes, "secondsOfARun", seconds, "runs", rates));
    }
    Table table = new Table(1, nodes + " nodes", "stock default", "curtail", "ratio", "from", "to");
    row(table, "requests/s", rates, ClientRate::requestsPerSecond);
    row(table, "client CPU us/request", rates, ClientRate::clientCpuMicros);
    System.out.print(table.toText());
    return 0;
  }

  /** Medians over the runs, and the median, lowest and highest ratio over the pairs. */
  private void row(
      Table table, String name, List<ClientRate> rates, ToDoubleFunction<ClientRate> value) {
    double[] stock = values(rates, ClientRates.STOCK, value);
    double[] curtail = values(rates, ClientRates.CURTAIL, value);
    double[] ratios = new double[stock.length];
    Arrays.setAll(ratios, i -> curtail[i] / stock[i]);
    Arrays.sort(ratios);
    Arrays.sort(stock);
    Arrays.sort(curtail);
    table.row(
        name,
        String.format(Locale.ROOT, "%,.1f", stock[stock.length / 2]),
        String.format(Locale.ROOT, "%,.1f", curtail[curtail.length / 2]),
        String.format(Locale.ROOT, "%.2f", ratios[ratios.length / 2]),
        String.format(Locale.ROOT, "%.2f", ratios[0]),
        String.format(Locale.ROOT, "%.2f", ratios[ratios.length - 1]));
  }

  private static double[] values(
      List<ClientRate> rates, String policy, ToDoubleFunction<ClientRate> value) {
    return rates.stream()
        .filter(rate -> rate.policy().equals(policy))
        .sorted((a, b) -> Integer.compare(a.pair(), b.pair()))
        .mapToDouble(value)
        .toArray();
  }
}
