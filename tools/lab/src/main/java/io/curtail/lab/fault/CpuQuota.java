/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.process.ControlGroup;
import io.curtail.lab.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Limits a node to a share of one processor, as a container with a CPU limit does: it runs, then
 * stands still for the rest of each 100 ms. Needs a control group that this user may make.
 */
public final class CpuQuota implements Fault {
  private static final long PERIOD_MICROS = 100_000;
  private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");
  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/cpu");

  private final ControlGroup group;

  private CpuQuota(LabNode node, double processors) throws IOException {
    Path root = controller();
    boolean isVersion2 = root.equals(VERSION_2);
    Path former = ControlGroup.of(node.pid(), root, isVersion2 ? "" : "cpu");
    group = new ControlGroup(ProcessIdentity.of(node.pid()), former, root);
    long quota = Math.max(1000, Math.round(processors * PERIOD_MICROS));
    if (isVersion2) {
      group.set("cpu.max", quota + " " + PERIOD_MICROS);
    } else {
      group.set("cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
      group.set("cpu.cfs_quota_us", Long.toString(quota));
    }
    group.enter();
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

  @Override
  public void close() throws IOException {
    group.close();
  }
}
