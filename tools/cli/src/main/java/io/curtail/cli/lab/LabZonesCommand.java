/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.cli.option.Range;
import io.curtail.cli.output.Output;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.network.Lateness;
import io.curtail.lab.network.NamespaceNetwork;
import io.curtail.lab.network.ZoneMeasurement;
import io.curtail.report.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail lab zones}. */
@Command(
    name = "zones",
    description =
        "Measures the round trips between the zones of a lab that was started with"
            + " --network NAMESPACES, against the latencies they should have.")
final class LabZonesCommand implements Callable<Integer> {
  @Mixin private LabChoice lab;
  @Mixin private Output output;

  @Option(names = "--probes", defaultValue = "300", description = "Pings for each pair of zones.")
  private int probes;

  @Option(
      names = "--calibrate",
      description = "Measure first what a packet takes anyhow, and allow for it.")
  private boolean calibrate;

  /** What the command measured. */
  record Result(
      List<ZoneMeasurement> zones,
      double worstErrorMicros,
      double overheadMicros,
      long packets,
      double meanLatenessMicros,
      double shareLaterThan100Micros,
      double shareLaterThan500Micros) {}

  @Override
  public Integer call() throws IOException {
    Range.check("--probes", probes, 1, 100_000);
    Cluster cluster = Cluster.attach(lab.directory());
    if (!(cluster.network() instanceof NamespaceNetwork network)) {
      throw new IllegalStateException(
          "lab "
              + cluster.name()
              + " has no latencies between its nodes: start it with --network NAMESPACES (root)");
    }
    if (calibrate) {
      network.calibrate();
    }
    Result result = measure(network);
    output.print(result, () -> text(result));
    return 0;
  }

  private Result measure(NamespaceNetwork network) throws IOException {
    Lateness before = network.lateness();
    List<ZoneMeasurement> zones = network.measure(probes);
    Lateness lateness = network.lateness().since(before);
    return new Result(
        zones,
        zones.stream().mapToDouble(each -> Math.abs(each.errorMicros())).max().orElse(0),
        network.overheadNanos() / 1000.0,
        lateness.packets(),
        lateness.meanMicros(),
        lateness.shareLaterThan(100),
        lateness.shareLaterThan(500));
  }

  private static String text(Result result) {
    Table table = new Table(2, "round trip", "zones", "wanted us", "median us", "error us");
    for (ZoneMeasurement each : result.zones) {
      table.row(
          each.between() + " to node",
          each.from() + "-" + each.to(),
          String.format(Locale.ROOT, "%.0f", each.wantedMicros()),
          String.format(Locale.ROOT, "%.0f", each.medianMicros()),
          String.format(Locale.ROOT, "%+.0f", each.errorMicros()));
    }
    return table.toText()
        + String.format(
            Locale.ROOT,
            """

        A packet takes %.0f us one way by itself; that is allowed for.
        %d packets were let go %.0f us late on average, %.2f %% more than 100 us, %.2f %% more than 500 us.
        """,
            result.overheadMicros,
            result.packets,
            result.meanLatenessMicros,
            100 * result.shareLaterThan100Micros,
            100 * result.shareLaterThan500Micros);
  }
}
