/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.load.LabTable;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import io.curtail.lab.meter.GcLog;
import io.curtail.lab.meter.NodeCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Nodes of its own that keep the table in one kind of storage. */
record StorageArm(Storage storage, LabTable table, Testbed testbed) implements Arm {
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int SETTLE_MILLIS = 500;
  private static final double IDLE_PROCESSORS = 0.08;

  @Override
  public String name() {
    return storage.label();
  }

  @Override
  public List<ZoneClient> clients() {
    return testbed.clients(Policy.STOCK_DEFAULT);
  }

  private List<LabNode> nodes() {
    return testbed.cluster().nodes().stream().filter(LabNode::isAlive).toList();
  }

  /** Makes the nodes write what they hold in memory to their data files. */
  void flush() throws IOException {
    for (LabNode node : nodes()) {
      storage.flush(testbed.management(node), table.tableName());
    }
  }

  /**
   * Waits at most a minute for each node. A compaction whose rate is limited is hardly seen in the
   * node's processor time, so the node is asked too.
   */
  @Override
  public void settle() throws IOException, InterruptedException {
    for (LabNode node : nodes()) {
      settle(node);
    }
  }

  private void settle(LabNode node) throws IOException, InterruptedException {
    long end = System.nanoTime() + SETTLE_NANOS;
    long before = node.cpuNanos();
    double processors = 1;
    while ((processors > IDLE_PROCESSORS
            || storage.isCompacting(testbed.management(node), table.tableName()))
        && System.nanoTime() < end) {
      long start = System.nanoTime();
      Thread.sleep(SETTLE_MILLIS);
      long now = node.cpuNanos();
      processors = (double) (now - before) / (System.nanoTime() - start);
      before = now;
    }
  }

  @Override
  public List<NodeCost.Meter> startCostMeters() throws IOException {
    List<NodeCost.Meter> meters = new ArrayList<>();
    for (LabNode node : nodes()) {
      GcLog log = GcLog.of(testbed.cluster().directory(), node.pid());
      meters.add(new NodeCost.Meter(node, log, testbed.management(node)));
    }
    return meters;
  }

  @Override
  public OptionalLong diskBytes() throws IOException {
    long bytes = 0;
    for (LabNode node : nodes()) {
      bytes += diskBytes(node);
    }
    return OptionalLong.of(bytes);
  }

  private long diskBytes(LabNode node) throws IOException {
    try (Stream<Path> files = Files.walk(storage.dataFiles(node.dataDirectory()))) {
      List<Path> all = files.filter(storage::isDataFile).toList();
      long bytes = 0;
      for (Path file : all) {
        bytes += Files.exists(file) ? Files.size(file) : 0;
      }
      return bytes;
    }
  }
}
