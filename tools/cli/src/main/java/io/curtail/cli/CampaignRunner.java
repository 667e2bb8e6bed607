/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.campaign.Progress;
import io.curtail.campaign.Report;
import io.curtail.campaign.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs a campaign for a user: progress on the terminal, files at the end, also after Ctrl-C. What
 * is finished goes first to the terminal: a disk that is full by now must not cost the results.
 */
final class CampaignRunner implements Progress {
  private static final long STOP_SECONDS = 40;

  private final ReportOptions output;
  private final MoreFiles more;

  CampaignRunner(ReportOptions output) {
    this(output, new MoreFiles());
  }

  /**
   * @throws IllegalArgumentException if the folder cannot be written
   */
  CampaignRunner(ReportOptions output, MoreFiles more) {
    this.output = output;
    this.more = more;
    output.requireWritable();
  }

  @Override
  public void report(String line) {
    output.progress(line);
  }

  /** Returns the exit code. */
  int run(Run run) throws IOException {
    CountDownLatch finished = new CountDownLatch(1);
    Thread worker = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker, finished), "stop"));
    try {
      run.run();
    } finally {
      try {
        finish(run.report());
      } finally {
        finished.countDown();
      }
    }
    return run.report().isSuccess() ? 0 : 1;
  }

  /** Gives an interrupted run time to finish; a finished one needs none. */
  private void stop(Thread worker, CountDownLatch finished) {
    if (finished.getCount() == 0) {
      return;
    }
    report("stopping; what is finished will be written");
    worker.interrupt();
    try {
      if (!finished.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        report("not all was stopped after " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void finish(Report report) throws IOException {
    if (report.isEmpty()) {
      report("nothing was finished, so there is no report");
      return;
    }
    output.print(report.data(), report::toText);
    report.write(output.out);
    if (more.histograms) {
      report.writeHistograms(output.out.resolve("histograms"));
    }
    if (more.figures) {
      report.writeFigures(output.out.resolve("figures"));
    }
    Path page = output.out.resolve("report.html").toAbsolutePath().normalize();
    report("\nwritten: " + page + " and " + report.dataFile());
  }
}
