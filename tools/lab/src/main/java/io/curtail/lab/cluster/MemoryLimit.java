/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.process.DeadMansSwitch;
import io.curtail.campaign.process.ProcFile;
import io.curtail.campaign.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The most memory that a process may have, its pages of files in the system's cache included: a
 * control group of Linux of its own. The process goes back to where it was when this is closed or
 * dies.
 *
 * <p>What the process has of its own when the limit starts stays charged to the group that it came
 * from, since Linux 6.11 moves no charges; so the new group has that much less.
 */
public final class MemoryLimit implements AutoCloseable {
  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
  private static final String MEMBERS = "cgroup.procs";
  private static final int ATTEMPTS = 40;
  private static final long LEAST_MORE_BYTES = 64 << 20;

  private final ProcessIdentity process;
  private final Path parent;
  private final Path group;
  private final DeadMansSwitch deadMansSwitch;

  private MemoryLimit(ProcessIdentity process, Path parent, long bytes) throws IOException {
    this.process = process;
    this.parent = parent;
    long chargedBefore = ownBytes(process.pid());
    if (chargedBefore + LEAST_MORE_BYTES > bytes) {
      throw new IllegalStateException(
          "a node has "
              + (chargedBefore >> 20)
              + " MiB when it has just started: allow it at least 64 MiB more, or a smaller heap");
    }
    group = parent.resolve("curtail-" + process.pid());
    Files.createDirectory(group);
    deadMansSwitch = new DeadMansSwitch();
    deadMansSwitch.add("echo %d > %s/%s".formatted(process.pid(), parent, MEMBERS));
    deadMansSwitch.add("sleep 0.5; rmdir " + group);
    Files.writeString(group.resolve("memory.limit_in_bytes"), Long.toString(bytes - chargedBefore));
    moveTo(group);
  }

  private void moveTo(Path other) throws IOException {
    Files.writeString(other.resolve(MEMBERS), Long.toString(process.pid()));
  }

  /**
   * Takes effect at once.
   *
   * @throws IllegalStateException if this system does not let this user limit a process, see {@link
   *     #unavailable()}, or the process has nearly as much already
   */
  public static MemoryLimit start(long pid, long bytes) throws IOException {
    String reason = unavailable();
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
    return new MemoryLimit(ProcessIdentity.of(pid), group(pid), bytes);
  }

  /** Why there can be no limit here, for the user; null if there can. */
  public static String unavailable() {
    if (!Files.exists(VERSION_1.resolve(MEMBERS))) {
      return "no memory limit here: it needs the memory controller of control groups, version 1";
    }
    try {
      return Files.isWritable(group(ProcessHandle.current().pid()))
          ? null
          : "no memory limit here: the control group is not writable for this user (root may do it)";
    } catch (IOException e) {
      return "no memory limit here: " + e.getMessage();
    }
  }

  /** The group that a process is in, from a line such as {@code 3:memory:/group}. */
  static Path group(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (List.of(fields[1].split(",", -1)).contains("memory")) {
        return VERSION_1.resolve(fields[2].substring(1));
      }
    }
    return VERSION_1;
  }

  /** Memory that is not of files. */
  private static long ownBytes(long pid) throws IOException {
    return ProcFile.bytes(Path.of("/proc/" + pid + "/status"), "RssAnon");
  }

  @Override
  public void close() throws IOException {
    if (Files.exists(group) && process.isAlive()) {
      moveTo(parent);
    }
    for (int attempt = 1; Files.exists(group); attempt++) {
      try {
        Files.delete(group);
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        sleep();
      }
    }
    deadMansSwitch.close();
  }

  /** The kernel lets go of a group a moment after its last process has left. */
  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
