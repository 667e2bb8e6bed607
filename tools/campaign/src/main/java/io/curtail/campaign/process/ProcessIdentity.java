/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One process of this machine, as Linux tells it: a process id together with the time it started,
 * because ids are used again.
 *
 * @param startTicks field 22 of {@code /proc/PID/stat}
 */
public record ProcessIdentity(long pid, long startTicks) {
  private static final int STATE = 0;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;
  private static final int START_TICKS = 19;
  // Linux reports these in hundredths of a second to user space on every architecture.
  private static final long NANOS_PER_TICK = 10_000_000;

  private static final Duration POLL = Duration.ofMillis(20);

  public static ProcessIdentity of(long pid) throws IOException {
    return new ProcessIdentity(pid, Long.parseLong(stat(pid).get(START_TICKS)));
  }

  public boolean isAlive() {
    try {
      List<String> stat = stat(pid);
      return Long.parseLong(stat.get(START_TICKS)) == startTicks && !stat.get(STATE).equals("Z");
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether SIGSTOP holds it. */
  public boolean isStopped() {
    try {
      return stat(pid).get(STATE).equals("T");
    } catch (IOException e) {
      return false;
    }
  }

  /** User and system time of all threads since the process started; 0 once it is gone. */
  public long cpuNanos() {
    try {
      List<String> stat = stat(pid);
      return NANOS_PER_TICK
          * (Long.parseLong(stat.get(USER_TICKS)) + Long.parseLong(stat.get(SYSTEM_TICKS)));
    } catch (IOException e) {
      return 0;
    }
  }

  /** Memory in use, pages shared with other processes included; 0 once it is gone. */
  public long residentBytes() {
    try {
      return ProcFile.bytes(Path.of("/proc/" + pid + "/status"), "VmRSS");
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Sends a signal; does nothing if the process is gone, or goes meanwhile.
   *
   * @param signal a name that {@code kill} knows, such as {@code STOP}
   * @throws IOException if the process lives on and could not be signalled
   */
  public void signal(String signal) throws IOException {
    if (!isAlive()) {
      return;
    }
    try {
      Commands.run("kill", "-" + signal, Long.toString(pid));
    } catch (IOException e) {
      if (isAlive()) {
        throw e;
      }
    }
  }

  /** A shell command that sends the signal if this process still is the one that was meant. */
  public String shellCommandToSignal(String signal) {
    return "[ \"$(cut -d' ' -f22 /proc/%d/stat 2>/dev/null)\" = %d ] && kill -%s %d"
        .formatted(pid, startTicks, signal, pid);
  }

  /** Returns whether it ended in time. */
  public boolean awaitEnd(Duration most) {
    try {
      return Polling.holds(most, POLL, () -> !isAlive());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !isAlive();
    }
  }

  /** The fields after the command's name, which itself may hold spaces and parentheses. */
  private static List<String> stat(long pid) throws IOException {
    String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return List.of(line.substring(line.lastIndexOf(')') + 2).strip().split(" ", -1));
  }
}
