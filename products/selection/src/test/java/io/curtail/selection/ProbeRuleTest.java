/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which reads probe, and whom. */
class ProbeRuleTest {
  private final ProbeRule rule = new ProbeRule(100, 0.5);
  private final ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);

  @Test
  void should_probe_with_a_share_of_the_reads() {
    assertThat(rule.mayProbe(false, false, 0.49)).isTrue();
    assertThat(rule.mayProbe(false, false, 0.5)).isFalse();
  }

  @Test
  void should_probe_with_a_tenth_of_it_while_a_node_reads_its_own_data_as_fast_as_ever() {
    assertThat(rule.mayProbe(true, false, 0.049)).isTrue();
    assertThat(rule.mayProbe(true, false, 0.05)).isFalse();
    assertThat(rule.mayProbe(true, true, 0.49)).isTrue();
  }

  @Test
  void should_probe_with_no_read_when_it_is_off() {
    assertThat(new ProbeRule(0, 1).mayProbe(false, false, 0)).isFalse();
  }

  @Test
  void should_probe_a_silent_replica_once_in_such_a_time() {
    ProbeRule.Turn turn = new ProbeRule.Turn(0);
    assertThat(rule.take(load, turn, 0)).isTrue();
    assertThat(rule.take(load, turn, 99)).isFalse();
    assertThat(rule.take(load, turn, 100)).isTrue();
  }

  @Test
  void should_not_probe_a_replica_that_has_answered_meanwhile() {
    ProbeRule.Turn turn = new ProbeRule.Turn(0);
    load.onSent();
    load.onResponse(10, new Feedback(0, 0, 1, 10), 1_000);
    assertThat(rule.take(load, turn, 1_099)).isFalse();
    assertThat(rule.take(load, turn, 1_100)).isTrue();
  }
}
