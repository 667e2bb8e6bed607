/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.cluster.Progress;
import io.curtail.lab.scenario.Campaign;
import io.curtail.lab.scenario.CampaignReport;
import io.curtail.lab.scenario.Soak;
import io.curtail.lab.scenario.SoakReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/**
 * Runs a campaign or a soak for a user: progress on the terminal, files at the end, also after
 * Ctrl-C.
 */
final class CampaignRunner implements Progress {
  private static final long STOP_SECONDS = 40;
  private static final String NOTHING = "nothing was finished, so there is no report";

  private final PrintWriter out;
  private final PrintWriter err;
  private final Path folder;

  /**
   * @throws IllegalArgumentException if the folder cannot be written
   */
  CampaignRunner(CommandLine commandLine, Path folder) {
    this.out = commandLine.getOut();
    this.err = commandLine.getErr();
    this.folder = folder;
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "writable", null));
    } catch (IOException e) {
      throw new IllegalArgumentException("out: cannot write to " + folder, e);
    }
  }

  @Override
  public void report(String line) {
    err.println(line);
    err.flush();
  }

  /** Returns the exit code. */
  int run(Campaign campaign, boolean intervalLogs, boolean json) throws IOException {
    Thread onInterrupt = stopOnInterrupt();
    try {
      campaign.run();
    } finally {
      finish(campaign.report(), intervalLogs, json);
    }
    if (!campaign.report().isInterrupted()) {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    }
    return campaign.report().isValid() ? 0 : 1;
  }

  /** Returns the exit code. */
  int run(Soak soak, boolean json) throws IOException {
    Thread onInterrupt = stopOnInterrupt();
    try {
      soak.run();
    } finally {
      finish(soak.report(), json);
    }
    if (!soak.report().isInterrupted()) {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    }
    return soak.report().isFlat() ? 0 : 1;
  }

  private Thread stopOnInterrupt() {
    Thread worker = Thread.currentThread();
    Thread onInterrupt = new Thread(() -> stop(worker), "stop");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    return onInterrupt;
  }

  private void stop(Thread worker) {
    report("stopping the nodes; what is finished will be written");
    worker.interrupt();
    try {
      worker.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void finish(CampaignReport report, boolean intervalLogs, boolean json)
      throws IOException {
    if (report.isEmpty()) {
      report(NOTHING);
      return;
    }
    // First to the terminal: a disk that is full by now must not cost the results.
    out.print(json ? report.toJson() : report.toText());
    out.flush();
    report.write(folder);
    if (intervalLogs) {
      report.writeIntervalLogs(folder.resolve("interval-logs"));
    }
    reportFiles();
  }

  private void finish(SoakReport report, boolean json) throws IOException {
    if (report.isEmpty()) {
      report(NOTHING);
      return;
    }
    out.print(json ? report.toJson() : report.toText());
    out.flush();
    report.write(folder);
    reportFiles();
  }

  private void reportFiles() {
    report(
        "\nwritten: "
            + folder.resolve("report.html").toAbsolutePath().normalize()
            + " and report.json");
  }
}
