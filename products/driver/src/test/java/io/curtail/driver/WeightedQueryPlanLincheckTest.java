/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Retries and speculative executions poll one plan at the same time: no node twice, none lost. */
public class WeightedQueryPlanLincheckTest {
  private static final List<Nodes.Loaded> NODES = Nodes.idle(5);

  private static final LocalNodes LOCAL = Nodes.local(NODES);
  private static final int WALK = 0x40000000;

  private final WeightedQueryPlan plan =
      new WeightedQueryPlan(new TrackedNode[] {NODES.get(2), NODES.get(0)}, LOCAL, WALK);

  @Operation
  public int poll() {
    Object node = plan.poll();
    for (int i = 0; i < NODES.size(); i++) {
      if (NODES.get(i).node == node) {
        return i;
      }
    }
    return -1;
  }

  @Operation
  public int size() {
    return plan.size();
  }

  @Test
  void should_be_linearizable_when_polled_concurrently() {
    new StressOptions()
        .iterations(5)
        .invocationsPerIteration(1000)
        .threads(3)
        .actorsPerThread(2)
        .check(getClass());
  }

  @Test
  void should_visit_all_nodes_in_the_order_of_the_walk() {
    List<Integer> order = new ArrayList<>(List.of(2, 0));
    int stride = LOCAL.stride(WALK);
    assertThat(LOCAL.start(WALK)).isEqualTo(1);
    for (int at = 1, i = 0; i < NODES.size(); i++, at = LOCAL.next(at, stride)) {
      if (!order.contains(at)) {
        order.add(at);
      }
    }
    List<Integer> polled = new ArrayList<>();
    for (int i = 0; i < NODES.size(); i++) {
      polled.add(poll());
    }
    assertThat(polled).isEqualTo(order).doesNotHaveDuplicates().hasSize(NODES.size());
    assertThat(poll()).isEqualTo(-1);
  }
}
