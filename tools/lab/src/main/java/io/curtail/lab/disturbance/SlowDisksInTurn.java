/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.FaultThread;
import io.curtail.lab.fault.SlowStorage;
import io.curtail.lab.fault.SlowStorages;
import io.curtail.report.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The nodes take turns at having a slow disk, one at any moment, as when compactions or snapshots
 * go round: whoever orders replicas must notice soon and forget soon.
 */
public record SlowDisksInTurn(Duration readTime, Duration turn) implements Disturbance {
  @Override
  public String label() {
    return "disks slow in turn, "
        + Unit.MILLISECONDS.format(readTime.toNanos() / 1e6)
        + " a read for "
        + Unit.MILLISECONDS.format(turn.toNanos() / 1e6);
  }

  @Override
  public boolean takesTurns() {
    return true;
  }

  @Override
  public Fault begin(Cluster cluster, LabNode first) throws IOException {
    List<LabNode> nodes = new ArrayList<>(cluster.nodes());
    Collections.rotate(nodes, -nodes.indexOf(first));
    SlowStorages disks = SlowStorages.slow(nodes, Duration.ZERO);
    FaultThread round = FaultThread.start("busy-disks", own -> goRound(own, disks.disks()));
    return () -> {
      try (disks) {
        round.close();
      }
    };
  }

  private void goRound(FaultThread own, List<SlowStorage> disks)
      throws IOException, InterruptedException {
    for (int next = 0; ; next++) {
      SlowStorage disk = disks.get(next % disks.size());
      disk.change(readTime);
      if (own.isClosedWithin(turn)) {
        return;
      }
      disk.change(Duration.ZERO);
    }
  }
}
