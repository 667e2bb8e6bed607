/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import io.curtail.campaign.process.ProcessIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the processors from going to sleep while it is open, because waking one of a virtual
 * machine takes tens of microseconds, several times in each request: what {@code idle=poll} does
 * for a whole machine. One process a processor spins at Linux's idle priority, which any other work
 * preempts at once; where that priority cannot be had nothing spins, and neither where a control
 * group has a quota of time, which the spinning would use up. Threads of this JVM would not do: a
 * starved one keeps all others waiting at the next safepoint.
 */
public final class HotProcessors implements AutoCloseable {
  /** Ends by itself soon after the process whose id it is given. */
  private static final String SPIN =
      """
      while kill -0 "$0" 2>/dev/null; do
        i=0
        while [ $i -lt 200000 ]; do i=$((i + 1)); done
      done
      """;

  private static HotProcessors spinning;
  private static int holders;

  private final List<Process> processes = new ArrayList<>();

  private HotProcessors() {}

  /**
   * Starts it, for all who ask together: the processor time of a second set would look like that of
   * another program to whoever knows the first only.
   */
  public static HotProcessors start() {
    synchronized (HotProcessors.class) {
      if (holders++ == 0) {
        spinning = spin();
      }
      return spinning;
    }
  }

  private static HotProcessors spin() {
    HotProcessors hot = new HotProcessors();
    if (AllowedProcessors.haveQuota()) {
      return hot;
    }
    String parent = Long.toString(ProcessHandle.current().pid());
    try {
      for (int i = 0; i < AllowedProcessors.ofThisProcess().count(); i++) {
        hot.processes.add(
            new ProcessBuilder("chrt", "--idle", "0", "sh", "-c", SPIN, parent)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
      }
    } catch (IOException e) {
      // no chrt, or not Linux: the processors sleep as they like, the results are a little slower
    }
    return hot;
  }

  /** Processor time that the spinning took so far. */
  long cpuNanos() {
    long nanos = 0;
    for (Process process : processes) {
      try {
        nanos += ProcessIdentity.of(process.pid()).cpuNanos();
      } catch (IOException e) {
        // it could not have the idle priority and is gone
      }
    }
    return nanos;
  }

  /** Ends it once all who started it have closed it. */
  @Override
  public void close() {
    synchronized (HotProcessors.class) {
      if (holders > 0 && --holders == 0) {
        processes.forEach(Process::destroy);
      }
    }
  }
}
