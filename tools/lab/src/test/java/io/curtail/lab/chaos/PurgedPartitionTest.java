/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PurgedPartitionTest {
  private static final List<String> ALL_ROWS =
      IntStream.rangeClosed(1, PurgedPartition.ROWS).mapToObj(n -> "n=" + n).toList();
  private static final List<String> NO_ROWS = List.of();

  private static final int RING_CHANGES = 2;

  /** The third way of deleting: all rows at once. */
  private final PurgedPartition partition = new PurgedPartition(3, RING_CHANGES);

  private final PurgedPartition.Deletion all = partition.deletions().get(0);

  @BeforeEach
  void write() {
    IntStream.rangeClosed(1, PurgedPartition.ROWS).filter(n -> n != 5).forEach(partition::isThere);
  }

  @Test
  void should_miss_rows_when_they_were_answered() {
    assertThat(partition.wrong(ALL_ROWS)).isNull();
    assertThat(partition.wrong(NO_ROWS)).contains("row 1 is lost");
  }

  @Test
  void should_know_nothing_while_it_is_deleted() {
    partition.mayBeDeleted(all);
    assertThat(partition.wrong(ALL_ROWS)).isNull();
    assertThat(partition.wrong(NO_ROWS)).isNull();
  }

  @Test
  void should_find_rows_that_are_back_but_for_those_that_were_not_answered() {
    partition.mayBeDeleted(all);
    partition.isDeleted(all);
    assertThat(partition.deleted()).isEqualTo(PurgedPartition.ROWS - 1);
    assertThat(partition.wrong(NO_ROWS)).isNull();
    assertThat(partition.wrong(ALL_ROWS)).contains("row 1 is back");
    assertThat(partition.wrong(List.of("n=5"))).isNull();
    assertThat(partition.history()).singleElement().asString().contains("DELETE FROM crash.purged");
  }

  @Test
  void should_blame_nobody_for_rows_that_may_rise() {
    partition.mayBeDeleted(all);
    partition.isDeleted(all);
    partition.mayRiseBefore(RING_CHANGES);
    assertThat(partition.wrong(ALL_ROWS)).contains("row 1 is back");
    partition.mayRiseBefore(RING_CHANGES + 1);
    assertThat(partition.wrong(ALL_ROWS)).isNull();
    assertThat(partition.deleted()).isZero();
  }

  @Test
  void should_miss_rows_that_may_rise_until_they_are_deleted() {
    partition.mayRiseBefore(RING_CHANGES + 1);
    assertThat(partition.wrong(NO_ROWS)).contains("row 1 is lost");
    partition.mayBeDeleted(all);
    partition.isDeleted(all);
    assertThat(partition.wrong(NO_ROWS)).isNull();
    assertThat(partition.wrong(ALL_ROWS)).isNull();
  }

  @Test
  void should_keep_all_of_some_partitions_and_a_part_of_others() {
    assertThat(new PurgedPartition(4, RING_CHANGES).deletions()).isEmpty();
    assertThat(new PurgedPartition(5, RING_CHANGES).deletions())
        .flatExtracting(PurgedPartition.Deletion::rows)
        .containsExactly(1, 4, 7, 10);
    assertThat(new PurgedPartition(6, RING_CHANGES).deletions())
        .singleElement()
        .satisfies(one -> assertThat(one.rows()).hasSize(7));
  }
}
