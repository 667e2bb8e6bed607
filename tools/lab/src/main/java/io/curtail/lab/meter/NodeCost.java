/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import io.curtail.campaign.process.ProcFile;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What nodes used during some time.
 *
 * @param cpuNanos of all its threads
 * @param compilerNanos of its just-in-time compilers, in cpuNanos too
 * @param pauses of its collector
 * @param allocatedBytes on its heap, to a few mebibytes
 * @param writtenBytes to storage, by the kernel's count for the process
 * @param readBytes from storage, which the page cache did not have
 */
public record NodeCost(
    long cpuNanos,
    long compilerNanos,
    GcLog.Pauses pauses,
    long allocatedBytes,
    long writtenBytes,
    long readBytes) {

  private NodeCost plus(NodeCost other) {
    return new NodeCost(
        cpuNanos + other.cpuNanos,
        compilerNanos + other.compilerNanos,
        pauses.plus(other.pauses),
        allocatedBytes + other.allocatedBytes,
        writtenBytes + other.writtenBytes,
        readBytes + other.readBytes);
  }

  /** What all nodes have used since their meters were made. */
  public static NodeCost sum(List<Meter> meters) throws IOException {
    NodeCost sum = new NodeCost(0, 0, GcLog.Pauses.NONE, 0, 0, 0);
    for (Meter meter : meters) {
      sum = sum.plus(meter.read());
    }
    return sum;
  }

  /** A node's counters at one moment. */
  public static final class Meter {
    private final LabNode node;
    private final GcLog log;
    private final NodeManagement management;
    private final long cpuNanos;
    private final long compilerNanos;
    private final long heapBytes;
    private final long logPosition;
    private final long writtenBytes;
    private final long readBytes;

    /** Reads them. */
    public Meter(LabNode node, GcLog log, NodeManagement management) throws IOException {
      this.node = node;
      this.log = log;
      this.management = management;
      heapBytes = management.heapUsedBytes();
      compilerNanos = CompilerTime.nanos(node.pid());
      logPosition = log.position();
      writtenBytes = counter(node, "write_bytes");
      readBytes = counter(node, "read_bytes");
      cpuNanos = node.cpuNanos();
    }

    /** What was used since the meter was made. */
    NodeCost read() throws IOException {
      Meter now = new Meter(node, log, management);
      GcLog.Pauses pauses = log.between(logPosition, now.logPosition);
      return new NodeCost(
          now.cpuNanos - cpuNanos,
          now.compilerNanos - compilerNanos,
          pauses,
          Math.max(0, now.heapBytes - heapBytes + pauses.freedBytes()),
          now.writtenBytes - writtenBytes,
          now.readBytes - readBytes);
    }

    private static long counter(LabNode node, String name) throws IOException {
      return Long.parseLong(ProcFile.value(Path.of("/proc/" + node.pid() + "/io"), name));
    }
  }
}
