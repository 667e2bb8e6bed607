/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.LabReport;
import io.curtail.lab.LabRun;
import io.curtail.lab.cluster.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/**
 * Runs something on the lab for a user: progress on the terminal, files at the end, also after
 * Ctrl-C.
 */
final class LabRunner implements Progress {
  private static final long STOP_SECONDS = 40;

  /** Writes files beside the report. */
  interface MoreFiles {
    void write() throws IOException;
  }

  private final PrintWriter out;
  private final PrintWriter err;
  private final Path folder;

  /**
   * @throws IllegalArgumentException if the folder cannot be written
   */
  LabRunner(CommandLine commandLine, Path folder) {
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
  int run(LabRun run, boolean json) throws IOException {
    return run(run, json, () -> {});
  }

  /**
   * Returns the exit code.
   *
   * @param more writes files beside the report
   */
  int run(LabRun run, boolean json, MoreFiles more) throws IOException {
    CountDownLatch finished = new CountDownLatch(1);
    Thread worker = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker, finished), "stop"));
    try {
      run.run();
    } finally {
      try {
        finish(run.report(), json, more);
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
    report("stopping the nodes; what is finished will be written");
    worker.interrupt();
    try {
      if (!finished.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        report("not all was stopped after " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void finish(LabReport report, boolean json, MoreFiles more) throws IOException {
    if (report.isEmpty()) {
      report("nothing was finished, so there is no report");
      return;
    }
    // First to the terminal: a disk that is full by now must not cost the results.
    out.print(json ? report.toJson() : report.toText());
    out.flush();
    report.write(folder);
    more.write();
    report(
        "\nwritten: "
            + folder.resolve("report.html").toAbsolutePath().normalize()
            + " and report.json");
  }
}
