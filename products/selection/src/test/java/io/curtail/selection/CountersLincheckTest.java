/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** What many threads count must be as if they counted one after the other. */
public class CountersLincheckTest {
  private final ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);

  public CountersLincheckTest() {
    for (int i = 0; i < 6; i++) {
      load.onSent();
    }
  }

  @Operation
  public int send() {
    load.onSent();
    return 0;
  }

  @Operation
  public int answer() {
    load.onResponse(1_000, new Feedback(1, 2, 4, 500), 0);
    return 0;
  }

  @Operation
  public int outstanding() {
    return load.outstanding();
  }

  @Test
  void should_count_outstanding_reads_atomically() {
    new StressOptions()
        .iterations(5)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(2)
        .check(getClass());
  }
}
