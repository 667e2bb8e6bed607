/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

/**
 * What a run cost its node.
 *
 * @param during the counted part
 * @param after it, until the node had nothing left to do
 * @param residentBytes at the end
 * @param userBytes that were written by requests, keys aside
 */
public record RunCost(NodeCost during, NodeCost after, long residentBytes, long userBytes) {

  /** To storage, by compaction after the run too. */
  public long writtenBytes() {
    return during.writtenBytes() + after.writtenBytes();
  }
}
