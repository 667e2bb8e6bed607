/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.meter.RunCost;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What an arm's runs cost its node, as {@code report.json} has it.
 *
 * @param pauseShare of the time, in which the collector held the node
 * @param cpuMicrosPerRequest of the node's process
 * @param compilingShare of a processor's time, which its just-in-time compilers took: where arms
 *     differ, part of what they differ by is that one has been compiled and the other not yet
 * @param writeAmplification bytes written to storage for each that a request wrote, compaction
 *     after the run included; null if none were
 * @param storageBytesRead that the page cache did not have
 * @param residentBytes the most at the end of a run
 */
record Costs(
    int pauses,
    double pauseShare,
    double longestPauseMillis,
    double pauseMicrosPerRequest,
    double heapBytesPerRequest,
    double cpuMicrosPerRequest,
    double compilingShare,
    Double writeAmplification,
    double storageBytesWritten,
    double storageBytesRead,
    double residentBytes) {

  /** Of several runs together; null if they were not followed. */
  static Costs of(List<ArmRun> runs) {
    if (runs.isEmpty() || runs.stream().anyMatch(run -> run.cost() == null)) {
      return null;
    }
    double requests = runs.stream().mapToDouble(run -> run.result().requests()).sum();
    double seconds =
        runs.stream().mapToDouble(run -> run.cost().nodes() * run.result().seconds().size()).sum();
    double pauseNanos = sum(runs, cost -> cost.during().pauses().nanos());
    double userBytes = sum(runs, RunCost::userBytes);
    return new Costs(
        (int) sum(runs, cost -> cost.during().pauses().count()),
        pauseNanos / 1e9 / seconds,
        most(runs, cost -> cost.during().pauses().longestNanos() / 1e6),
        pauseNanos / 1e3 / requests,
        sum(runs, cost -> cost.during().allocatedBytes()) / requests,
        sum(runs, cost -> cost.during().cpuNanos()) / 1e3 / requests,
        sum(runs, cost -> cost.during().compilerNanos()) / 1e9 / seconds,
        userBytes == 0 ? null : sum(runs, RunCost::writtenBytes) / userBytes,
        sum(runs, RunCost::writtenBytes),
        sum(runs, cost -> cost.during().readBytes()),
        most(runs, RunCost::residentBytes));
  }

  private static double sum(List<ArmRun> runs, ToDoubleFunction<RunCost> value) {
    return runs.stream().map(ArmRun::cost).mapToDouble(value).sum();
  }

  private static double most(List<ArmRun> runs, ToDoubleFunction<RunCost> value) {
    return runs.stream().map(ArmRun::cost).mapToDouble(value).max().orElse(0);
  }
}
