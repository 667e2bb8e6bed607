/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CellCostTest {
  @Test
  void should_take_the_middle_of_two_runs_and_the_extremes_of_all() {
    CellCost cheap = new CellCost(10, 9, 12, 100);
    CellCost dear = new CellCost(20, 8, 30, 200);
    assertThat(CellCost.ofRuns(List.of(cheap, dear))).isEqualTo(new CellCost(15, 8, 30, 150));
    assertThat(CellCost.ofRuns(List.of(dear, cheap, cheap)))
        .isEqualTo(new CellCost(10, 8, 30, 100));
  }
}
