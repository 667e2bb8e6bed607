/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.hooks.StoragePlan;
import java.util.List;

/** The reads that nodes with a {@link StoragePlan} served in a run, copies too. Immutable. */
public record StorageReads(List<Read> reads) {

  /**
   * One read.
   *
   * @param plan of its node
   * @param occurrence of the key at the node, from 0
   * @param atNanos from the plan's start to that of the read
   */
  public record Read(
      StoragePlan plan,
      long keyHash,
      int occurrence,
      long atNanos,
      long wantedNanos,
      long tookNanos) {}

  public StorageReads {
    reads = List.copyOf(reads);
  }

  /** Reads beyond one for each request, as a share of the requests. */
  public double extraWork(long requests) {
    return (double) reads.size() / requests - 1;
  }

  /** How much longer the machine took than the plans say, as a share of what they say. */
  public double machineShare() {
    double wanted = reads.stream().mapToDouble(Read::wantedNanos).sum();
    double took = reads.stream().mapToDouble(Read::tookNanos).sum();
    return reads.isEmpty() ? 0 : took / wanted - 1;
  }
}
