/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class TableMovesTest {
  @Test
  void should_understand_what_a_plan_says() {
    for (Step step : new Plan(1, 4, EnumSet.of(Kind.MOVE)).steps(100)) {
      assertThat(Plan.TABLES).contains(TableMoves.table(step.what()));
      assertThat(TableMoves.memtable(step.what())).isIn("rocksdb", "default");
    }
  }
}
