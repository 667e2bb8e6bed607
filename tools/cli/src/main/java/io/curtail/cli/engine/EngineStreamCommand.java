/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.DirectoryOption;
import io.curtail.cli.option.EngineJars;
import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.Range;
import io.curtail.cli.option.StorageOptions;
import io.curtail.cli.output.KeptOutput;
import io.curtail.cli.output.TrialReport;
import io.curtail.cli.output.UntilStopped;
import io.curtail.lab.engine.StreamedMove;
import io.curtail.lab.engine.Streaming;
import io.curtail.lab.experiment.EngineSettings;
import io.curtail.report.Columns;
import io.curtail.report.Unit;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail engine stream}. */
@Command(
    name = "stream",
    description = {
      "Measures what a node that leaves and one that joins take: four nodes, three copies of each "
          + "row, on stock storage and on RocksDB in turns, with a client that reads meanwhile.",
      "Streams are not throttled, and end when what came is in RocksDB, or with --absorb before. "
          + "Disk is what a data directory has beyond what it has at rest, before or after. A turn "
          + "takes about ten minutes."
    })
final class EngineStreamCommand implements Callable<Integer> {
  @Mixin private KeptOutput output;
  @Mixin private DirectoryOption directory;
  @Mixin private final StorageOptions storage = new StorageOptions();
  @Mixin private final PairsOption pairs = new PairsOption(1);

  @Option(names = "--rows", defaultValue = "80000", description = "Rows in the table.")
  private int rows;

  @Option(
      names = "--rate",
      paramLabel = "PER_SECOND",
      defaultValue = "300",
      description = "Reads a second.")
  private double rate;

  @Option(
      names = "--absorb",
      description =
          "Nodes absorb what they receive after the stream (absorb: true), which then ends with its"
              + " files; disk is looked at until all is absorbed.")
  private boolean absorb;

  @Override
  public Integer call() throws IOException {
    Range.check("--rows", rows, 100, 100_000_000);
    if (!(rate > 0)) {
      throw new IllegalArgumentException("--rate: more than 0 requests a second");
    }
    output.begin();
    int turns = pairs.pairs();
    EngineSettings settings = storage.settings(EngineJars.engine());
    if (settings.memoryMebibytes() > 0) {
      throw new IllegalArgumentException("--memory: the node that joins would have no limit");
    }
    Streaming streaming =
        new Streaming(settings, rows, rate, absorb, directory.fresh(), output::progress);
    List<StreamedMove> moves = new CopyOnWriteArrayList<>();
    Instant start = Instant.now();
    UntilStopped.leavingAlone(
        () ->
            measure(
                streaming,
                turns,
                move -> {
                  moves.add(move);
                  output.keepSoFar("engine", () -> report(start, moves));
                }),
        isStopped -> {
          print(start, moves);
          directory.settle(!isComplete(moves), output::progress);
        });
    return 0;
  }

  private static void measure(Streaming streaming, int turns, Consumer<StreamedMove> moves)
      throws IOException {
    try {
      for (int turn = 0; turn < turns; turn++) {
        streaming.run(turn, moves);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What minutes have measured is not lost with a turn that fails, or that the user ends. */
  private void print(Instant start, List<StreamedMove> moves) throws IOException {
    if (!moves.isEmpty()) {
      TrialReport report = report(start, moves);
      output.print(report, () -> text(moves));
      output.keep("engine", report);
    }
  }

  private TrialReport report(Instant start, List<StreamedMove> moves) {
    return TrialReport.of(output, start, !isComplete(moves), List.copyOf(moves));
  }

  private boolean isComplete(List<StreamedMove> moves) {
    return moves.size() == pairs.pairs() * Streaming.MOVES_A_TURN;
  }

  static String text(List<StreamedMove> moves) {
    return new Columns<StreamedMove>()
        .add("storage", StreamedMove::storage)
        .add("node", move -> move.what() + "s")
        .add("data", move -> Unit.BYTES.format((double) move.movedBytes()))
        .add("took", move -> Unit.SECONDS.format(move.seconds()))
        .add("streams open", move -> Unit.SECONDS.format(move.streamingSeconds()))
        .add("at rest after", move -> Unit.SECONDS.format(move.restSeconds()))
        .add("a second", move -> Unit.BYTES.format(move.mebibytesPerSecond() * (1 << 20)))
        .add("extra disk", move -> Unit.BYTES.format((double) move.extraBytes()))
        .add("of others", move -> Unit.BYTES.format((double) move.extraBytesOfOthers()))
        .add("reads p50, quiet", move -> millis(move.quiet().p50Millis()))
        .add("streams open", move -> millis(move.meanwhile().p50Millis()))
        .add("p99, quiet", move -> millis(move.quiet().p99Millis()))
        .add("streams open", move -> millis(move.meanwhile().p99Millis()))
        .add("failed", move -> failed(move.meanwhile()))
        .table(2, moves)
        .toText();
  }

  private static String failed(StreamedMove.Reads reads) {
    return String.format(Locale.ROOT, "%,d of %,d", reads.failed(), reads.requests());
  }

  private static String millis(double millis) {
    return Unit.MILLISECONDS.format(millis);
  }
}
