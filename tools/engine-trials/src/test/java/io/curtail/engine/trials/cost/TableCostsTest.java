/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableCostsTest {
  /** The one that is always first would pay for a machine that becomes faster, or gain. */
  @Test
  void should_have_each_storage_first_in_every_second_round() {
    List<TableCase> cases = List.of(TableCase.values()).subList(0, 2);
    TableCosts costs = new TableCosts(cases, 2, 1, false);
    for (int round = 0; round < 4; round++) {
      List<String> storages =
          round % 2 == 0
              ? List.of(TableCosts.STOCK, TableCosts.ROCKS)
              : List.of(TableCosts.ROCKS, TableCosts.STOCK);
      assertThat(costs.turns(round))
          .containsExactly(
              new TableCosts.Turn(cases.get(0), storages.get(0)),
              new TableCosts.Turn(cases.get(0), storages.get(1)),
              new TableCosts.Turn(cases.get(1), storages.get(0)),
              new TableCosts.Turn(cases.get(1), storages.get(1)));
    }
  }
}
