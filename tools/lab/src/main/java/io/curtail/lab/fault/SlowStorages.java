/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The slow storage of several nodes, put right together. */
public final class SlowStorages implements Fault {
  private final List<SlowStorage> disks = new ArrayList<>();
  private final LabNode first;

  private SlowStorages(LabNode first) {
    this.first = first;
  }

  /** At least one node. */
  public static SlowStorages slow(List<LabNode> nodes, Duration readTime) throws IOException {
    SlowStorages together = new SlowStorages(nodes.get(0));
    try {
      for (LabNode node : nodes) {
        together.disks.add(SlowStorage.start(node, readTime));
      }
      return together;
    } catch (IOException | RuntimeException e) {
      together.close();
      throw e;
    }
  }

  @Override
  public LabNode node() {
    return first;
  }

  @Override
  public String description() {
    return String.join(", ", disks.stream().map(Fault::description).toList());
  }

  @Override
  public void close() throws IOException {
    for (Fault disk : disks) {
      disk.close();
    }
  }
}
