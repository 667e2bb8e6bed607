/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.exceptions.RequestFailureReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureCauseTest {
  @ParameterizedTest
  @EnumSource(
      value = RequestFailureReason.class,
      names = {"UNKNOWN", "TIMEOUT", "NODE_DOWN"})
  void should_blame_the_replica_when_it_is_slow_or_broken(RequestFailureReason reason) {
    assertThat(Cassandra50.causeOf(reason)).isEqualTo(FailureCause.REPLICA);
  }

  @ParameterizedTest
  @EnumSource(
      value = RequestFailureReason.class,
      names = {"READ_TOO_MANY.*", "READ_SIZE", "INDEX_NOT_AVAILABLE", "INCOMPATIBLE_SCHEMA"},
      mode = EnumSource.Mode.MATCH_ANY)
  void should_blame_the_read_when_no_replica_would_answer_it(RequestFailureReason reason) {
    assertThat(Cassandra50.causeOf(reason)).isEqualTo(FailureCause.READ);
  }

  /** {@code Blame} of the driver, which has no Cassandra at hand, knows them by these. */
  @Test
  void should_have_the_codes_by_which_drivers_excuse_a_node() {
    assertThat(RequestFailureReason.values())
        .filteredOn(reason -> Cassandra50.causeOf(reason) == FailureCause.READ)
        .extracting(reason -> reason.code)
        .containsExactlyInAnyOrder(1, 3, 4, 6, 7);
    assertThat(RequestFailureReason.INCOMPATIBLE_SCHEMA.code).isEqualTo(3);
  }
}
