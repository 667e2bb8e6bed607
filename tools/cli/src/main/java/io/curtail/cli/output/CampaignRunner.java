/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import io.curtail.campaign.Progress;
import io.curtail.campaign.Report;
import io.curtail.campaign.StoppableRun;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs a campaign for a user: progress on the terminal, files at the end, also after Ctrl-C. What
 * is finished goes first to the terminal: a disk that is full by now must not cost the results.
 */
public final class CampaignRunner implements Progress {
  private final ReportOptions output;
  private final MoreFiles more;

  /**
   * For a report alone.
   *
   * @throws IllegalArgumentException if the folder cannot be written
   */
  public CampaignRunner(ReportOptions output) {
    this(output, new MoreFiles());
  }

  /**
   * For a report and what the user wants beside it.
   *
   * @throws IllegalArgumentException if the folder cannot be written
   */
  public CampaignRunner(ReportOptions output, MoreFiles more) {
    this.output = output;
    this.more = more;
    output.requireWritable();
  }

  @Override
  public void report(String line) {
    output.progress(line);
  }

  /**
   * Runs it, and prints and writes what it finds.
   *
   * @return the exit code: 0 if it is a success, else 1
   */
  public int run(StoppableRun run) throws IOException {
    UntilStopped.interrupting(this, run::run, stopped -> finish(run.report()));
    return run.report().isSuccess() ? 0 : 1;
  }

  private void finish(Report report) throws IOException {
    if (report.isEmpty()) {
      report("nothing was finished, so there is no report");
      return;
    }
    output.print(report.data(), report::toText);
    report.write(output.folder());
    if (more.hasHistograms()) {
      report.writeHistograms(output.folder().resolve("histograms"));
    }
    if (more.hasFigures()) {
      report.writeFigures(output.folder().resolve("figures"));
    }
    Path page = output.folder().resolve("report.html").toAbsolutePath().normalize();
    report("\nwritten: " + page + " and " + report.dataFile());
  }
}
