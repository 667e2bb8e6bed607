/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.Budget;
import io.curtail.benchmarks.client.ClientRate;
import io.curtail.benchmarks.client.ClientRates;
import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.Range;
import io.curtail.cli.option.SecondsOption;
import io.curtail.report.Table;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The highest rate of one session against many simulated nodes. */
@Command(
    name = "client",
    description = {
      "Measures the highest rate that one session sustains against many nodes, and the client's "
          + "processor time a request: the driver's Default policy and Curtail's.",
      "The nodes are played by Simulacron in another process on this machine, which takes its share "
          + "of the processors: the ratio of processor times says most, and may be 1.1."
    },
    footer = {"", "Exit code 1 if the budget is not kept."})
final class BenchClientCommand implements Callable<Integer> {
  private static final double MOST_CPU_TIMES = 1.1;

  @Mixin private BenchOutput output;
  @Mixin private PairsOption pairs = new PairsOption(7);
  @Mixin private SecondsOption seconds = new SecondsOption(5);

  @Option(
      names = {"-n", "--nodes"},
      defaultValue = "192",
      description = "Simulated nodes, 3 to 400.")
  private int nodes;

  @Override
  public Integer call() throws IOException {
    Range.check("--nodes", nodes, 3, 400);
    output.begin();
    List<ClientRate> rates =
        new ClientRates(nodes, pairs.pairs(), seconds.seconds())
            .run(step -> output.progress("  " + step));
    List<ClientRate> curtail = of(ClientRates.CURTAIL, rates);
    List<ClientRate> stock = of(ClientRates.STOCK, rates);
    Ratios rate = Ratios.of(curtail, stock, ClientRate::requestsPerSecond);
    Ratios cpu = Ratios.of(curtail, stock, ClientRate::clientCpuMicros);
    Table table =
        new Table(1, nodes + " nodes", "stock default", "curtail", "ratio", "from", "to")
            .row(rate.row("requests/s", 1))
            .row(cpu.row("client CPU us/request", 1));
    return output.print(
        Map.of("nodes", nodes, "secondsOfARun", seconds.seconds(), "runs", rates),
        table,
        List.of(
            new Budget(
                "CPU time of a request over stock Default's", cpu.median(), MOST_CPU_TIMES)));
  }

  private static List<ClientRate> of(String policy, List<ClientRate> rates) {
    return rates.stream()
        .filter(rate -> rate.policy().equals(policy))
        .sorted(Comparator.comparingInt(ClientRate::pair))
        .toList();
  }
}
