/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is excused, and that nothing else is. */
class NarrowQueryTest {
  private static final Map<String, String> KINDS =
      Map.of(
          "p0",
          "partition_key",
          "c1",
          "clustering",
          "s2",
          "static",
          "r3",
          "regular",
          "r4",
          "regular");
  private static final List<String> WIDE =
      List.of(
          "c1=1, r3=5, p0=0, r4=null, s2=null",
          "c1=2, r3=null, p0=0, r4=7, s2=null",
          "c1=3, r3=6, p0=0, r4=8, s2=null");

  private final NarrowQuery query =
      NarrowQuery.of("PAGES 2 SELECT c1, r3 FROM # WHERE p0 = 0 PER PARTITION LIMIT 3 LIMIT 2");

  @Test
  void should_ask_the_same_without_limits_of_some_and_of_all_columns() {
    assertThat(query.unlimited()).isEqualTo("SELECT c1, r3 FROM # WHERE p0 = 0");
    assertThat(query.wide(List.of("c1", "p0", "r3", "r4")))
        .isEqualTo("SELECT c1, r3, p0, r4 FROM # WHERE p0 = 0");
  }

  @Test
  void should_not_be_asked_for_all_columns_or_a_count() {
    assertThat(NarrowQuery.of("SELECT * FROM # WHERE p0 = 0")).isNull();
    assertThat(NarrowQuery.of("SELECT count(*) FROM #")).isNull();
    assertThat(NarrowQuery.of("UPDATE # SET r3 = 1 WHERE p0 = 0")).isNull();
  }

  @Test
  void should_excuse_rows_that_show_no_cell() {
    assertThat(query.isPart(List.of("c1=1, r3=5", "c1=3, r3=6"), WIDE, KINDS)).isTrue();
    assertThat(
            query.isPart(
                List.of("c1=1, r3=5", "c1=2, r3=null", "c1=3, r3=6", "c1=9, r3=null"), WIDE, KINDS))
        .isTrue();
  }

  @Test
  void should_not_excuse_a_row_that_is_missing_or_too_much_or_different() {
    assertThat(query.isPart(List.of("c1=1, r3=5", "c1=2, r3=null"), WIDE, KINDS)).isFalse();
    assertThat(query.isPart(List.of("c1=1, r3=5", "c1=3, r3=6", "c1=9, r3=0"), WIDE, KINDS))
        .isFalse();
    assertThat(query.isPart(List.of("c1=1, r3=5", "c1=3, r3=60"), WIDE, KINDS)).isFalse();
    assertThat(query.isPart(List.of("c1=3, r3=6", "c1=1, r3=5"), WIDE, KINDS)).isFalse();
  }

  @Test
  void should_compare_static_cells_when_partitions_are_distinct() {
    NarrowQuery distinct = NarrowQuery.of("SELECT DISTINCT p0, s2 FROM # LIMIT 3");
    assertThat(distinct.wide(List.of("c1", "r3")))
        .isEqualTo("SELECT p0, s2, c1, r3 FROM # PER PARTITION LIMIT 1");
    List<String> wide = List.of("p0=0, s2=1, c1=1, r3=5", "p0=2, s2=null, c1=1, r3=5");
    assertThat(distinct.isPart(List.of("p0=0, s2=1"), wide, KINDS)).isTrue();
    assertThat(distinct.isPart(List.of("p0=2, s2=null"), wide, KINDS)).isFalse();
  }
}
