/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.SlowStorages;
import io.curtail.report.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads from the storage of one node, or of neighbours on the ring, which share keys, take so long
 * throughout, as on a disk that is about to fail.
 */
public record SlowDisks(Duration readTime, int count) implements Disturbance {
  @Override
  public String label() {
    return (count == 1 ? "one slow disk, " : count + " slow disks, ")
        + Unit.MILLISECONDS.format(readTime.toNanos() / 1e6)
        + " a read";
  }

  @Override
  public List<LabNode> nodes(Cluster cluster, LabNode first) {
    List<LabNode> all = cluster.nodes();
    List<LabNode> slow = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slow.add(all.get((all.indexOf(first) + i) % all.size()));
    }
    return slow;
  }

  @Override
  public Map<String, Object> simulated(int nodes, Duration countFrom) {
    return count < nodes
        ? null
        : Map.of("addedMillis", readTime.toNanos() * 1e-6, "faultAtMillis", 0, "faultMillis", 0);
  }

  @Override
  public Fault begin(Cluster cluster, LabNode first) throws IOException {
    return SlowStorages.slow(nodes(cluster, first), readTime);
  }
}
