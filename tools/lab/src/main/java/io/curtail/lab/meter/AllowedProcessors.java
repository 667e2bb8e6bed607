/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * The processors that Linux lets this process run on, which in a container, or under {@code
 * taskset}, may be a few of the machine's. Immutable.
 */
final class AllowedProcessors {
  private static final String ALLOWED = "Cpus_allowed_list:";

  // Linux counts /proc/stat in hundredths of a second on every architecture.
  private static final double NANOS_PER_TICK = 1e7;
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final int GUEST = 9;

  private final BitSet numbers;

  /**
   * @param status the lines of {@code /proc/self/status}
   */
  AllowedProcessors(List<String> status) {
    numbers =
        status.stream()
            .filter(line -> line.startsWith(ALLOWED))
            .map(line -> numbers(line.substring(ALLOWED.length()).strip()))
            .findAny()
            .orElseThrow(
                () -> new IllegalStateException("no " + ALLOWED + " in /proc/self/status"));
  }

  /** Those of this process now. */
  static AllowedProcessors ofThisProcess() {
    return new AllowedProcessors(lines(Path.of("/proc/self/status")));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static BitSet numbers(String list) {
    BitSet numbers = new BitSet();
    for (String range : list.split(",", -1)) {
      String[] ends = range.split("-", -1);
      int last = Integer.parseInt(ends[ends.length - 1]);
      numbers.set(Integer.parseInt(ends[0]), last + 1);
    }
    return numbers;
  }

  /** How many there are. */
  int count() {
    return numbers.cardinality();
  }

  /** How long they have been busy since the machine started, in nanoseconds, all added up. */
  double busyNanos() {
    return busyNanos(lines(Path.of("/proc/stat")));
  }

  /**
   * As {@link #busyNanos()}.
   *
   * @param stat the lines of {@code /proc/stat}
   */
  double busyNanos(List<String> stat) {
    return stat.stream()
            .filter(line -> line.matches("cpu[0-9]+ .*"))
            .map(line -> line.split(" +", -1))
            .filter(fields -> numbers.get(Integer.parseInt(fields[0].substring("cpu".length()))))
            .mapToDouble(AllowedProcessors::busyTicks)
            .sum()
        * NANOS_PER_TICK;
  }

  private static double busyTicks(String[] fields) {
    double ticks = 0;
    for (int i = 1; i < Math.min(fields.length, GUEST); i++) {
      ticks += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(fields[i]);
    }
    return ticks;
  }

  /**
   * Whether a control group gives this process less time than its processors have, as containers
   * with a limit of processors do.
   */
  static boolean haveQuota() {
    return hasQuota(Path.of("/sys/fs/cgroup"), lines(Path.of("/proc/self/cgroup")));
  }

  /**
   * As {@link #haveQuota}.
   *
   * @param groups where control groups are mounted
   * @param own the lines of {@code /proc/self/cgroup}
   */
  static boolean hasQuota(Path groups, List<String> own) {
    for (String line : own) {
      // 0::/a/b for version 2, 4:cpu,cpuacct:/a/b for version 1
      String[] fields = line.split(":", 3);
      boolean isSecond = fields[1].isEmpty();
      if (!isSecond && !List.of(fields[1].split(",", -1)).contains("cpu")) {
        continue;
      }
      Path root = isSecond ? groups : groups.resolve("cpu");
      Path group = root.resolve(fields[2].substring(1));
      // In a container the group may be mounted as the root.
      for (; group != null && group.startsWith(root); group = group.getParent()) {
        if (isLimit(group.resolve(isSecond ? "cpu.max" : "cpu.cfs_quota_us"))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isLimit(Path file) {
    try {
      String first = Files.readString(file).strip().split(" ", -1)[0];
      return !first.equals("max") && !first.equals("-1");
    } catch (IOException e) {
      return false; // no such group here
    }
  }
}
