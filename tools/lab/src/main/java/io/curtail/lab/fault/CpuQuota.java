/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.process.DeadMansSwitch;
import io.curtail.lab.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Limits a node to a share of one processor, as a container with a CPU limit does: it runs, then
 * stands still for the rest of each 100 ms. Needs a control group that this user may make.
 */
public final class CpuQuota implements Fault {
  private static final long PERIOD_MICROS = 100_000;
  private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");
  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/cpu");

  private final LabNode node;
  private final double processors;
  private final ProcessIdentity process;
  private final Path group;
  private final Path formerGroup;
  private final DeadMansSwitch deadMansSwitch;

  private CpuQuota(LabNode node, double processors) throws IOException {
    this.node = node;
    this.processors = processors;
    process = ProcessIdentity.of(node.pid());
    Path root = controller();
    formerGroup = root.resolve(groupOf(process.pid(), root));
    group = root.resolve("curtail-" + process.pid());
    Files.createDirectory(group);
    deadMansSwitch = new DeadMansSwitch();
    deadMansSwitch.add("echo %d > %s/cgroup.procs".formatted(process.pid(), formerGroup));
    deadMansSwitch.add("sleep 0.2; rmdir " + group);
    long quota = Math.max(1000, Math.round(processors * PERIOD_MICROS));
    if (root.equals(VERSION_2)) {
      Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
    }
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.pid()));
  }

  /**
   * Takes effect at once.
   *
   * @param processors such as 0.1 for a tenth of one
   * @throws IllegalStateException if this system does not let this user limit a process; see {@link
   *     #unavailable()}
   */
  public static CpuQuota start(LabNode node, double processors) throws IOException {
    String reason = unavailable();
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
    return new CpuQuota(node, processors);
  }

  /** Why the fault cannot be had here, for the user; null if it can. */
  public static String unavailable() {
    Path root = controller();
    if (root == null) {
      return "no CPU quota here: the system has no cpu controller in /sys/fs/cgroup";
    }
    return Files.isWritable(root)
        ? null
        : "no CPU quota here: " + root + " is not writable for this user (root may do it)";
  }

  private static Path controller() {
    try {
      Path controllers = VERSION_2.resolve("cgroup.subtree_control");
      if (Files.exists(controllers)
          && List.of(Files.readString(controllers).strip().split(" ", -1)).contains("cpu")) {
        return VERSION_2;
      }
    } catch (IOException e) {
      // then version 1, if that is there
    }
    return Files.exists(VERSION_1.resolve("cgroup.procs")) ? VERSION_1 : null;
  }

  /** From lines such as {@code 3:cpu,cpuacct:/group} (version 1) or {@code 0::/group}. */
  private static String groupOf(long pid, Path root) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"))) {
      String[] fields = line.split(":", 3);
      boolean ours =
          root.equals(VERSION_2)
              ? fields[1].isEmpty()
              : List.of(fields[1].split(",", -1)).contains("cpu");
      if (ours) {
        return fields[2].substring(1);
      }
    }
    return "";
  }

  @Override
  public LabNode node() {
    return node;
  }

  @Override
  public String description() {
    return "node %d has %.2f of a processor".formatted(node.index(), processors);
  }

  @Override
  public void close() throws IOException {
    if (!Files.exists(group)) {
      return;
    }
    if (process.isAlive()) {
      Files.writeString(formerGroup.resolve("cgroup.procs"), Long.toString(process.pid()));
    }
    removeGroup();
    deadMansSwitch.close();
  }

  /** The kernel lets go of a group a moment after its last process has left. */
  private void removeGroup() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Files.delete(group);
        return;
      } catch (IOException e) {
        if (attempt == 20) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
