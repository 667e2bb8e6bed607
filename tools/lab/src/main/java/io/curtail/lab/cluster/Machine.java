/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.process.Commands;
import io.curtail.campaign.process.Polling;
import io.curtail.campaign.process.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Refuses a cluster that this machine has no room for, before anything is started. */
final class Machine {
  // Of a node's heap aside: code, metaspace, threads, direct buffers, off-heap memtables. Measured.
  private static final long BESIDE_HEAP_MEBIBYTES = 320;
  private static final long DISK_MEBIBYTES_PER_NODE = 256;
  private static final long MEBIBYTE = 1 << 20;

  /** Tests wait until the nodes of other tests have ended; a user is told at once. */
  private static final Duration PATIENCE =
      Duration.parse(System.getProperty("curtail.memory.patience", "PT0S"));

  private Machine() {}

  static void require(ClusterSpec spec) throws IOException {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
      throw new IllegalStateException(
          "the lab runs on Linux only: it needs /proc and all of 127.0.0.0/8, and this is "
              + System.getProperty("os.name"));
    }
    for (String program : new String[] {"setsid", "sh", "kill", "cut"}) {
      if (!Commands.exists(program)) {
        throw new IllegalStateException(
            program + " is missing (Debian: apt-get install util-linux procps coreutils)");
      }
    }
    if (spec.raisedPriority() && !Commands.isRoot()) {
      throw new IllegalStateException("a raised priority of the nodes needs root");
    }
    requireMemory(spec, PATIENCE, Machine::availableMebibytes);
    requireDisk(spec, usableMebibytes(spec.directory()));
  }

  /** How much memory can be had now. */
  interface Memory {
    long availableMebibytes() throws IOException;
  }

  static void requireMemory(ClusterSpec spec, Duration patience, Memory memory) throws IOException {
    long perNode = spec.heapMebibytes() + BESIDE_HEAP_MEBIBYTES;
    long[] available = new long[1];
    Polling.<IOException>await(
        "a lab waited for memory",
        patience,
        Duration.ofMillis(200),
        () -> {
          available[0] = memory.availableMebibytes();
          return perNode * spec.allNodes() <= available[0];
        },
        () ->
            "%d nodes with a heap of %d MiB need about %d MiB of memory and %d MiB are free: take at most %d nodes, or a smaller heap"
                .formatted(
                    spec.allNodes(),
                    spec.heapMebibytes(),
                    perNode * spec.allNodes(),
                    available[0],
                    available[0] / perNode));
  }

  static void requireDisk(ClusterSpec spec, long usableMebibytes) {
    long needed = DISK_MEBIBYTES_PER_NODE * spec.allNodes();
    if (needed > usableMebibytes) {
      throw new IllegalStateException(
          "%d nodes need about %d MiB on disk and %d MiB are free in %s: take fewer nodes, or another directory"
              .formatted(spec.allNodes(), needed, usableMebibytes, spec.directory()));
    }
  }

  /** What can be had without swapping, within the limit of the control group if there is one. */
  private static long availableMebibytes() throws IOException {
    long available = ProcFile.bytes(Path.of("/proc/meminfo"), "MemAvailable") / MEBIBYTE;
    Path groups = Path.of("/sys/fs/cgroup");
    available =
        Math.min(available, left(groups, "memory.max", "memory.current", "(in)?active_file"));
    return Math.min(
        available,
        left(
            groups.resolve("memory"),
            "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_(in)?active_file"));
  }

  /**
   * In MiB; what files hold of the memory is given back when it is needed.
   *
   * @param files what {@code memory.stat} calls that
   */
  static long left(Path group, String limitFile, String usageFile, String files) {
    try {
      long limit = Long.parseLong(Files.readString(group.resolve(limitFile)).strip());
      long usage = Long.parseLong(Files.readString(group.resolve(usageFile)).strip());
      for (String line : Files.readAllLines(group.resolve("memory.stat"))) {
        if (line.matches(files + " [0-9]+")) {
          usage -= Long.parseLong(line.substring(line.indexOf(' ') + 1));
        }
      }
      return Math.max(0, limit - usage) / MEBIBYTE;
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // no such limit here
    }
  }

  private static long usableMebibytes(Path directory) throws IOException {
    Path existing = directory;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    return Files.getFileStore(existing).getUsableSpace() / MEBIBYTE;
  }
}
