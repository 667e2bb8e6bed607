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
import io.curtail.report.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
  public List<LabNode> nodes(Cluster cluster, LabNode first) {
    return List.of();
  }

  @Override
  public Fault begin(Cluster cluster, LabNode first) throws IOException {
    return new Round(cluster.nodes(), first, this);
  }

  private static final class Round implements Fault {
    private final SlowDisksInTurn busy;
    private final List<SlowStorage> disks = new ArrayList<>();
    private final FaultThread thread;

    Round(List<LabNode> nodes, LabNode first, SlowDisksInTurn busy) throws IOException {
      this.busy = busy;
      int begin = nodes.indexOf(first);
      for (int i = 0; i < nodes.size(); i++) {
        disks.add(SlowStorage.start(nodes.get((begin + i) % nodes.size()), Duration.ZERO));
      }
      thread = FaultThread.start("busy-disks", this::goRound);
    }

    private void goRound(FaultThread own) throws IOException, InterruptedException {
      for (int turn = 0; ; turn++) {
        SlowStorage disk = disks.get(turn % disks.size());
        disk.change(busy.readTime());
        if (own.isClosedWithin(busy.turn())) {
          return;
        }
        disk.change(Duration.ZERO);
      }
    }

    @Override
    public void close() throws IOException {
      thread.close();
      for (SlowStorage disk : disks) {
        disk.close();
      }
      thread.throwFailure();
    }
  }
}
