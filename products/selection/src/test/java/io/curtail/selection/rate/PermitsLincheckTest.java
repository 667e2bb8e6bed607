/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Of three tokens three callers get one each, whatever the interleaving; of two permits two. */
public class PermitsLincheckTest {
  private final TokenBucket bucket = new TokenBucket(3, 1, 0);
  private final InFlightLimit limit = new InFlightLimit(2);

  @Operation
  public boolean token() {
    return bucket.tryAcquire(0) == 0;
  }

  @Operation
  public long tokensLeft() {
    return Math.round(bucket.tokens(0));
  }

  @Operation
  public boolean permit() {
    return limit.tryAcquire(0) == 0;
  }

  @Test
  void should_issue_what_there_is_and_no_more() {
    new StressOptions()
        .iterations(8)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .check(getClass());
  }
}
