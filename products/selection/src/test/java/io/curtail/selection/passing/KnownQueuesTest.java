/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.passing;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.LoadSettings;
import io.curtail.selection.ReplicaLoad;
import org.junit.jupiter.api.Test;

class KnownQueuesTest {
  private static final long SERVICE_NANOS = 20_000_000;
  private static final long AVERAGING_NANOS = 50_000_000;
  private static final long TOLD_AT_NANOS = 1_000_000_000;
  private static final long NOW_NANOS = TOLD_AT_NANOS + 5_000_000;

  private final ReplicaLoad[] loads = {told(4), told(3), told(8)};
  private final Route route = new Route("a", "b", "c");

  /** A replica with four slots in which so many reads wait. */
  private static ReplicaLoad told(int waiting) {
    return told(waiting, SERVICE_NANOS);
  }

  private static ReplicaLoad told(int waiting, long serviceNanos) {
    ReplicaLoad load = unknown();
    load.onFeedback(new Feedback(waiting, 4, 4, serviceNanos), TOLD_AT_NANOS);
    return load;
  }

  private static ReplicaLoad unknown() {
    return new ReplicaLoad(LoadSettings.perElapsedTime(AVERAGING_NANOS));
  }

  @Test
  void should_tell_of_the_others_when_all_have_a_long_queue() {
    KnownQueues.tell(route, 0, loads, NOW_NANOS);
    assertThat(route.knows(0)).isFalse();
    assertThat(route.expectedNanos(1)).isEqualTo(SERVICE_NANOS * (1 + 4 / 4.0));
    assertThat(route.expectedNanos(2)).isEqualTo(SERVICE_NANOS * (1 + 9 / 4.0));
    assertThat(route.ageNanos(2)).isEqualTo(NOW_NANOS - TOLD_AT_NANOS);
    assertThat(route.hops()).isZero();
  }

  @Test
  void should_keep_a_read_at_a_busy_server_when_the_others_are_as_busy() {
    KnownQueues.tell(route, 0, loads, NOW_NANOS);
    PassingRule rule = new PassingRule(PassingSettings.DEFAULTS);
    assertThat(rule.decide(route, 0, 2, 4, SERVICE_NANOS, NOW_NANOS)).isEqualTo(PassingRule.ACCEPT);
    assertThat(rule.decide(route, 0, 12, 4, SERVICE_NANOS, NOW_NANOS)).isEqualTo(1);
  }

  @Test
  void should_tell_nothing_when_one_has_a_short_queue_or_is_not_known() {
    loads[1] = told(2);
    KnownQueues.tell(route, 0, loads, NOW_NANOS);
    assertThat(route.knows(2)).isFalse();
    loads[1] = unknown();
    KnownQueues.tell(route, 0, loads, NOW_NANOS);
    assertThat(route.knows(2)).isFalse();
    loads[1] = told(4);
    loads[0] = told(0);
    KnownQueues.tell(route, 0, loads, NOW_NANOS);
    assertThat(route.knows(2)).as("where it goes first may be free").isFalse();
  }

  @Test
  void should_tell_nothing_when_a_queue_was_told_of_longer_ago_than_eight_times_the_averaging() {
    assertToldUntil(8 * AVERAGING_NANOS, loads);
  }

  @Test
  void should_tell_nothing_when_a_queue_was_told_of_longer_ago_than_32_waits_in_it() {
    long service = SERVICE_NANOS / 4; // and so long waits who is behind three, at four slots
    assertToldUntil(32 * service, told(3, service), told(3, service), told(3, service));
  }

  private void assertToldUntil(long ageNanos, ReplicaLoad... known) {
    KnownQueues.tell(route, 0, known, TOLD_AT_NANOS + ageNanos + 1);
    assertThat(route.knows(2)).isFalse();
    KnownQueues.tell(route, 0, known, TOLD_AT_NANOS + ageNanos);
    assertThat(route.knows(2)).isTrue();
  }

  @Test
  void should_tell_nothing_when_a_replica_does_not_say_how_many_reads_it_serves_at_once() {
    ReplicaLoad silent = unknown();
    silent.onFeedback(new Feedback(100, 0, 0, SERVICE_NANOS), TOLD_AT_NANOS);
    loads[2] = silent;
    KnownQueues.tell(route, 0, loads, NOW_NANOS);
    assertThat(route.knows(1)).isFalse();
  }
}
