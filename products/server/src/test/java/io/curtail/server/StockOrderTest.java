/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StockOrderTest {
  private static final String PEER = "127.0.0.2:7000";

  private final IEndpointSnitch topology = new SimpleSnitch();
  private final List<Cassandra50DynamicSnitch> made = new ArrayList<>();
  private final StockOrder stock =
      new StockOrder(
          topology,
          snitch -> {
            made.add(new Cassandra50DynamicSnitch(snitch));
            return made.get(made.size() - 1);
          });

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void should_run_the_dynamic_snitch_only_while_it_is_wanted() {
    assertThat(stock.snitch()).isSameAs(topology);
    stock.run(false);
    assertThat(made).isEmpty();
    stock.run(true);
    stock.run(true);
    assertThat(made).hasSize(1);
    assertThat(stock.snitch()).isSameAs(made.get(0));
    stock.run(false);
    assertThat(stock.snitch()).isSameAs(topology);
    assertThat(stock.isRunning()).isFalse();
  }

  /** Each would be one more call around what Cassandra calls with every answer's latency. */
  @Test
  void should_make_one_dynamic_snitch_however_often_modes_change() {
    for (int i = 0; i < 1_000; i++) {
      stock.run(true);
      assertThat(stock.snitch()).isSameAs(made.get(0));
      stock.run(false);
    }
    assertThat(made).hasSize(1);
  }

  @Test
  void should_ignore_latencies_while_it_is_stopped() throws Exception {
    stock.run(true);
    Cassandra50DynamicSnitch dynamic = made.get(0);
    answered(dynamic, 2);
    assertThat(dynamic.dumpTimings(PEER)).containsExactly(7.0);
    stock.run(false);
    answered(dynamic, 2);
    answered(dynamic, 3);
    assertThat(dynamic.dumpTimings(PEER)).hasSize(1);
    stock.run(true);
    answered(dynamic, 2);
    assertThat(dynamic.dumpTimings(PEER)).contains(7.0).hasSize(3);
    assertThat(dynamic.dumpTimings("127.0.0.3:7000")).isEmpty();
  }

  private static void answered(Cassandra50DynamicSnitch dynamic, int node) {
    dynamic.receiveTiming(FakeHost.address(node), 7, TimeUnit.MILLISECONDS);
  }

  /** In a reservoir that weighs the last seconds only. */
  @Test
  void should_outweigh_what_it_measured_before_it_was_stopped() throws Exception {
    stock.run(true);
    answered(made.get(0), 2);
    stock.run(false);
    stock.run(true);
    assertThat(made.get(0).dumpTimings(PEER)).containsExactlyInAnyOrder(7.0, 0.0);
  }

  @Test
  void should_take_over_what_was_configured_while_it_was_stopped() {
    double before = DatabaseDescriptor.getDynamicBadnessThreshold();
    try {
      stock.run(true);
      stock.run(false);
      DatabaseDescriptor.setDynamicBadnessThreshold(before + 1);
      stock.run(true);
      assertThat(made.get(0).getBadnessThreshold()).isEqualTo(before + 1);
    } finally {
      DatabaseDescriptor.setDynamicBadnessThreshold(before);
    }
  }
}
