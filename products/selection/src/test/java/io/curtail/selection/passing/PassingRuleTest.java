/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.passing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PassingRuleTest {
  private static final double MILLI = 1e6;

  private final PassingRule a = new PassingRule(PassingSettings.DEFAULTS);
  private final PassingRule b = new PassingRule(PassingSettings.DEFAULTS);
  private final PassingRule c = new PassingRule(PassingSettings.DEFAULTS);

  @Test
  void should_keep_a_read_when_the_wait_is_shorter_than_a_hop() {
    assertThat(a.decide(new Route("a", "b", "c"), 0, 0, 32, 4 * MILLI, 0))
        .isEqualTo(PassingRule.ACCEPT);
  }

  @Test
  void should_try_each_replica_once_and_return_to_the_least_loaded() {
    Route route = new Route("a", "b", "c");
    assertThat(a.decide(route, 0, 8, 4, 4 * MILLI, 0)).isEqualTo(1);
    assertThat(b.decide(route, 1, 2, 4, 4 * MILLI, 0)).isEqualTo(2);
    assertThat(c.decide(route, 2, 9, 4, 4 * MILLI, 0)).isEqualTo(1);
    assertThat(route.hops()).isEqualTo(3);
    assertThat(b.decide(route, 1, 20, 4, 4 * MILLI, 0)).isEqualTo(PassingRule.ACCEPT);
  }

  @Test
  void should_keep_a_read_when_the_last_replica_is_the_best() {
    Route route = new Route("a", "b");
    assertThat(a.decide(route, 0, 8, 4, 4 * MILLI, 0)).isEqualTo(1);
    assertThat(b.decide(route, 1, 7, 4, 4 * MILLI, 0)).isEqualTo(PassingRule.ACCEPT);
  }

  @Test
  void should_remember_a_busy_neighbour_for_part_of_what_it_tells() {
    a.decide(new Route("a", "b"), 0, 8, 4, 4 * MILLI, 0);
    Route first = new Route("a", "b");
    a.decide(first, 0, 8, 4, 4 * MILLI, 0);
    b.decide(first, 1, 8, 4, 4 * MILLI, 0);
    assertThat(b.decide(new Route("b", "a"), 0, 8, 4, 4 * MILLI, 1_000_000))
        .isEqualTo(PassingRule.ACCEPT);
    assertThat(b.decide(new Route("b", "a"), 0, 8, 4, 4 * MILLI, 3_000_000))
        .isEqualTo(PassingRule.ACCEPT);
    assertThat(b.decide(new Route("b", "a"), 0, 8, 4, 4 * MILLI, 5_000_000)).isEqualTo(1);
  }

  @Test
  void should_ask_for_more_when_services_take_much_longer_than_a_hop() {
    // a wait of 20 ms, where a service takes 200
    assertThat(a.decide(new Route("a", "b"), 0, 0, 10, 200 * MILLI, 0))
        .isEqualTo(PassingRule.ACCEPT);
    // b expects 20 ms less than a
    Route route = new Route("a", "b");
    assertThat(a.decide(route, 0, 10, 10, 200 * MILLI, 0)).isEqualTo(1);
    assertThat(b.decide(route, 1, 11, 10, 200 * MILLI, 0)).isEqualTo(PassingRule.ACCEPT);
  }

  @Test
  void should_believe_a_long_queue_for_long() {
    Route route = new Route("a", "b");
    a.decide(route, 0, 39, 4, 4 * MILLI, 0);
    b.decide(route, 1, 20, 4, 4 * MILLI, 0);
    // a told of 44 ms
    assertThat(b.decide(new Route("b", "a"), 0, 20, 4, 4 * MILLI, 12_000_000))
        .isEqualTo(PassingRule.ACCEPT);
    assertThat(b.decide(new Route("b", "a"), 0, 20, 4, 4 * MILLI, 15_000_000)).isEqualTo(1);
  }

  @Test
  void should_spend_no_message_on_unknown_replicas_under_overload() {
    assertThat(a.decide(new Route("a", "b", "c"), 0, 400, 4, 4 * MILLI, 0))
        .isEqualTo(PassingRule.ACCEPT);
  }

  @Test
  void should_forget_a_replica_that_left() {
    Route route = new Route("a", "b");
    a.decide(route, 0, 8, 4, 4 * MILLI, 0);
    b.decide(route, 1, 8, 4, 4 * MILLI, 0);
    b.forget("a");
    assertThat(b.decide(new Route("b", "a"), 0, 8, 4, 4 * MILLI, 0)).isEqualTo(1);
  }

  @Test
  void should_decide_while_replicas_are_forgotten() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread forgets =
        new Thread(
            () -> {
              while (!over.get()) {
                a.forget("b");
              }
            });
    forgets.start();
    try {
      for (int i = 0; i < 200_000; i++) {
        assertThat(a.decide(new Route("a", "b"), 0, 8, 4, 4 * MILLI, 0)).isBetween(-1, 1);
      }
    } finally {
      over.set(true);
      forgets.join();
    }
  }
}
