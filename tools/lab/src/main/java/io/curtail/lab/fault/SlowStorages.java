/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.campaign.ClosedTogether;
import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The slow storage of several nodes, put right together. */
public final class SlowStorages implements Fault {
  private final List<SlowStorage> disks = new ArrayList<>();
  private final String description;

  private SlowStorages(List<LabNode> nodes, Duration readTime) {
    description =
        nodes.stream()
            .map(
                node ->
                    String.format(
                        Locale.ROOT,
                        "+%.3f ms on each read from the storage of node %d",
                        readTime.toNanos() / 1e6,
                        node.index()))
            .collect(Collectors.joining(", "));
  }

  public static SlowStorages slow(List<LabNode> nodes, Duration readTime) throws IOException {
    SlowStorages together = new SlowStorages(nodes, readTime);
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

  /** Each of them, in the order of the nodes. */
  public List<SlowStorage> disks() {
    return List.copyOf(disks);
  }

  /** In words for the user. */
  public String description() {
    return description;
  }

  @Override
  public void close() throws IOException {
    ClosedTogether.all(disks, SlowStorage::close);
  }
}
