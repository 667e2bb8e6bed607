/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

/**
 * What a run cost its nodes.
 *
 * @param nodes how many
 * @param during the counted part
 * @param after it, until the node had nothing left to do
 * @param residentBytes at the end
 * @param userBytes that were written by requests, keys aside, on all replicas
 */
public record RunCost(
    int nodes, NodeCost during, NodeCost after, long residentBytes, long userBytes) {

  /** To storage, by compaction after the run too. */
  public long writtenBytes() {
    return during.writtenBytes() + after.writtenBytes();
  }
}
