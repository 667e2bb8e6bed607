/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.campaign.ClosedTogether;
import io.curtail.campaign.process.DeadMansSwitch;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.hooks.FluctuatingReads;
import io.curtail.lab.hooks.StoragePlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Storage of all nodes whose service times follow a {@link StoragePlan}, in nodes that were started
 * with {@link FluctuatingReads}. As it was before when closed, or when this process dies.
 */
public final class FluctuatingStorage implements Fault {
  private final Map<LabNode, StoragePlan> plans = new LinkedHashMap<>();
  private final DeadMansSwitch deadMansSwitch = new DeadMansSwitch();

  private FluctuatingStorage() throws IOException {}

  /** Takes effect with the next read. The plan's node is each node's own. */
  public static FluctuatingStorage start(List<LabNode> nodes, StoragePlan plan) throws IOException {
    FluctuatingStorage storage = new FluctuatingStorage();
    try {
      for (LabNode node : nodes) {
        storage.start(node, plan.ofNode(node.index()));
      }
    } catch (IOException e) {
      storage.close();
      throw e;
    }
    return storage;
  }

  private void start(LabNode node, StoragePlan plan) throws IOException {
    deadMansSwitch.add(
        "head -c %d /dev/zero | dd of=%s conv=notrunc status=none"
            .formatted(Long.BYTES, DeadMansSwitch.quoted(file(node))));
    plans.put(node, plan);
    Files.deleteIfExists(served(node));
    write(node, plan.rest(), Long.BYTES);
    write(node, ByteBuffer.allocate(Long.BYTES).putLong(plan.run()).flip(), 0);
  }

  private static Path file(LabNode node) {
    return node.readDelayFile().resolveSibling(FluctuatingReads.PLAN);
  }

  private static Path served(LabNode node) {
    return node.readDelayFile().resolveSibling(FluctuatingReads.SERVED);
  }

  private static void write(LabNode node, ByteBuffer bytes, int position) throws IOException {
    try (FileChannel channel = FileChannel.open(file(node), StandardOpenOption.WRITE)) {
      channel.write(bytes, position);
    }
  }

  /** What was served so far, by all nodes. */
  public StorageReads served() throws IOException {
    List<StorageReads.Read> reads = new ArrayList<>();
    for (Map.Entry<LabNode, StoragePlan> node : plans.entrySet()) {
      if (Files.exists(served(node.getKey()))) {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(served(node.getKey())));
        while (bytes.remaining() >= FluctuatingReads.RECORD_BYTES) {
          reads.add(
              new StorageReads.Read(
                  node.getValue(),
                  bytes.getLong(),
                  (int) bytes.getLong(),
                  bytes.getLong(),
                  bytes.getLong(),
                  bytes.getLong()));
        }
      }
    }
    return new StorageReads(reads);
  }

  @Override
  public void close() throws IOException {
    ClosedTogether.all(plans.keySet(), node -> write(node, ByteBuffer.allocate(Long.BYTES), 0));
    deadMansSwitch.close();
  }
}
