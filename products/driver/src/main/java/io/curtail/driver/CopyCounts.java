/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.concurrent.atomic.LongAdder;

/** What became of the requests that waited for one node for longer than its delay. Thread-safe. */
final class CopyCounts {
  /** Sent to another node. */
  final LongAdder sent = new LongAdder();

  /** Answered there first. */
  final LongAdder won = new LongAdder();

  /** Not sent, because copies had cost all that they may. */
  final LongAdder refusedByBudget = new LongAdder();

  /** Not sent, because no other node had room, or it would not have helped. */
  final LongAdder refusedByLoad = new LongAdder();
}
