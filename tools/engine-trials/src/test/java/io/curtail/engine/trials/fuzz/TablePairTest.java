/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePairTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c1=1.00, r2=1.00 | c1=1, r2=1.00",
        "n5=0.00, r4={1.00, 2}, ttl(r4)=[null] | n5=0, r4={1, 2}, ttl(r4)=[null]",
        "r1={1.0: 1.00, 2: 1.0} | r1={1: 1.00, 2: 1.0}",
        "r1=1.0, r2=[1.0], r3=10.00 | r1=1.0, r2=[1.0], r3=10.00",
      })
  void should_take_for_one_what_is_one_row_or_one_cell_and_nothing_else(
      String answer, String spelled) {
    assertThat(TablePair.withOneSpelling(answer)).isEqualTo(spelled);
  }
}
