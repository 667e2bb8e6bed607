/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.lab.process.ControlGroup;
import io.curtail.lab.process.ProcFile;
import io.curtail.lab.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The most memory that a process may have, its pages of files in the system's cache included: a
 * control group of Linux.
 *
 * <p>What the process has of its own when the limit starts stays charged to the group that it came
 * from, since Linux 6.11 moves no charges; so the new group has that much less.
 */
public final class MemoryLimit implements AutoCloseable {
  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
  private static final long LEAST_MORE_BYTES = 64 << 20;

  private final ControlGroup group;

  private MemoryLimit(ProcessIdentity process, Path parent, long bytes) throws IOException {
    long chargedBefore = ownBytes(process.pid());
    if (chargedBefore + LEAST_MORE_BYTES > bytes) {
      throw new IllegalStateException(
          "a node has "
              + (chargedBefore >> 20)
              + " MiB when it has just started: allow it at least 64 MiB more, or a smaller heap");
    }
    group = new ControlGroup(process, parent);
    group.set("memory.limit_in_bytes", Long.toString(bytes - chargedBefore));
    group.enter();
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
    return new MemoryLimit(ProcessIdentity.of(pid), parent(pid), bytes);
  }

  /** Why there can be no limit here, for the user; null if there can. */
  public static String unavailable() {
    if (!Files.exists(VERSION_1.resolve("cgroup.procs"))) {
      return "no memory limit here: it needs the memory controller of control groups, version 1";
    }
    try {
      return Files.isWritable(parent(ProcessHandle.current().pid()))
          ? null
          : "no memory limit here: the control group is not writable for this user (root may do it)";
    } catch (IOException e) {
      return "no memory limit here: " + e.getMessage();
    }
  }

  private static Path parent(long pid) throws IOException {
    return ControlGroup.of(pid, VERSION_1, "memory");
  }

  /** Memory that is not of files. */
  private static long ownBytes(long pid) throws IOException {
    return ProcFile.bytes(Path.of("/proc/" + pid + "/status"), "RssAnon");
  }

  @Override
  public void close() throws IOException {
    group.close();
  }
}
