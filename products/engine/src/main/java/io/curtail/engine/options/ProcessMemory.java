/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * How much memory a process may use: what the machine has, or the least that the control groups of
 * Linux around the process leave, of version 1 and 2 (the kernel's {@code cgroup-v1/memory.rst} and
 * {@code cgroup-v2.rst}). Immutable.
 *
 * <p>The limit of a group counts for all groups in it. Inside of a container the path of the
 * process's group may be that on the host, which is not there; then its mount is the group.
 */
final class ProcessMemory {
  /** In bytes; negative if nothing tells. */
  final long bytes;

  /** What limits it: a file, as this process sees it. */
  final String limit;

  private ProcessMemory(long bytes, String limit) {
    this.bytes = bytes;
    this.limit = limit;
  }

  /**
   * Of this process.
   *
   * @param root of the file system with {@code /proc} and {@code /sys}
   */
  static ProcessMemory of(Path root) {
    ProcessMemory least = new ProcessMemory(-1, "");
    for (String line : lines(root.resolve("proc/meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        String kibibytes = line.replaceAll("\\D", "");
        least = least.orLess(kibibytes, 1 << 10, root, root.resolve("proc/meminfo"));
      }
    }
    Path groups = root.resolve("sys/fs/cgroup");
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields[1].isEmpty()) {
        for (Path mount : List.of(groups, groups.resolve("unified"))) {
          least = least.within(root, mount, fields[2], "memory.max", "memory.high");
        }
      } else if (Arrays.asList(fields[1].split(",", -1)).contains("memory")) {
        least = least.within(root, groups.resolve("memory"), fields[2], "memory.limit_in_bytes");
      }
    }
    return least;
  }

  /** Looks at a group, and at all that it is in. */
  private ProcessMemory within(Path root, Path mount, String path, String... files) {
    ProcessMemory least = this;
    Path group = mount.resolve("." + path).normalize();
    if (!group.startsWith(mount)) {
      group = mount;
    }
    for (; group.startsWith(mount); group = group.getParent()) {
      for (String file : files) {
        for (String line : lines(group.resolve(file))) {
          least = least.orLess(line, 1, root, group.resolve(file));
        }
      }
    }
    return least;
  }

  private ProcessMemory orLess(String number, long unit, Path root, Path file) {
    try {
      long found = Math.multiplyExact(Long.parseLong(number.trim()), unit);
      return found > 0 && (bytes < 0 || found < bytes)
          ? new ProcessMemory(found, "/" + root.relativize(file))
          : this;
    } catch (ArithmeticException | NumberFormatException e) {
      // "max": no limit.
      return this;
    }
  }

  @Override
  public String toString() {
    return bytes < 0 ? "an unknown amount" : (bytes >> 20) + " MiB (" + limit + ")";
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      // Not on this system.
      return List.of();
    }
  }
}
