/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.report.MachineFacts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * What a trial or a measurement found, for programs, with what one must know to do it again.
 *
 * @param command as a user would type it
 * @param startedAt in UTC, to the second
 * @param seconds from then to the end
 * @param interrupted whether it did not come to its end: stopped by hand, or by what went wrong
 * @param versions of Cassandra, the driver, Java and Curtail
 * @param machine what it ran on
 * @param results what was found
 */
public record TrialReport(
    String command,
    String startedAt,
    long seconds,
    boolean interrupted,
    Map<String, String> versions,
    Map<String, String> machine,
    Object results) {
  /** Of what began at a time and ends now; reads the facts of this machine. */
  public static TrialReport of(Output output, Instant start, boolean interrupted, Object results) {
    return new TrialReport(
        output.commandLine(),
        start.truncatedTo(ChronoUnit.SECONDS).toString(),
        Duration.between(start, Instant.now()).toSeconds(),
        interrupted,
        MachineFacts.versions(ClusterSpec.defaultCassandraVersion()),
        MachineFacts.machine(),
        results);
  }
}
