/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadsServedTest {
  @Test
  void should_follow_whichever_node_is_busiest() {
    ReadsServed reads =
        new ReadsServed(Map.of("a", new double[] {10, 70, 20}, "b", new double[] {30, 40, 20}));
    assertThat(reads.busiestNode()).containsExactly(30, 70, 20);
  }
}
