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

  @Test
  void should_ignore_latencies_once_it_is_stopped() throws Exception {
    stock.run(true);
    Cassandra50DynamicSnitch dynamic = made.get(0);
    String peer = "127.0.0.2:7000";
    dynamic.receiveTiming(FakeHost.address(2), 7, TimeUnit.MILLISECONDS);
    assertThat(dynamic.dumpTimings(peer)).hasSize(1);
    stock.run(false);
    dynamic.receiveTiming(FakeHost.address(2), 7, TimeUnit.MILLISECONDS);
    assertThat(dynamic.dumpTimings(peer)).hasSize(1);
  }
}
