/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.campaign.process.DeadMansSwitch;
import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Makes each read of a partition from a node's own storage wait, in the read stage, as on a failing
 * disk. Writes, range reads and what the node does as a coordinator for others are not touched. One
 * that is started while another one lasts takes its place until it is closed.
 */
public final class SlowStorage implements Fault {
  private final LabNode node;
  private final long formerNanos;
  private final DeadMansSwitch deadMansSwitch;

  private SlowStorage(LabNode node, Duration delay) throws IOException {
    this.node = node;
    formerNanos = read(node.readDelayFile());
    deadMansSwitch = new DeadMansSwitch();
    // notrunc: the node maps the file, and a mapped page that is cut off kills it
    deadMansSwitch.add(
        "head -c %d /dev/zero | dd of=%s conv=notrunc status=none"
            .formatted(Long.BYTES, DeadMansSwitch.quoted(node.readDelayFile())));
    write(node.readDelayFile(), delay.toNanos());
  }

  /** Takes effect with the next read. */
  public static SlowStorage start(LabNode node, Duration delay) throws IOException {
    return new SlowStorage(node, delay);
  }

  /** Takes effect with the next read. */
  public void change(Duration delay) throws IOException {
    write(node.readDelayFile(), delay.toNanos());
  }

  private static long read(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).getLong();
  }

  private static void write(Path file, long nanos) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(Long.BYTES).putLong(nanos).flip(), 0);
    }
  }

  @Override
  public void close() throws IOException {
    write(node.readDelayFile(), formerNanos);
    deadMansSwitch.close();
  }
}
