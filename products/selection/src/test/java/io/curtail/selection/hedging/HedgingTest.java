/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.curtail.selection.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgingTest {
  private static final double MEAN_NANOS = 4e6;

  @ParameterizedTest
  @ValueSource(longs = {10_000, 5_000_000, 2_000_000_000L})
  void should_find_the_quantile_from_any_first_delay(long initial) {
    HedgeDelay delay = new HedgeDelay(0.03, initial);
    double slow = shareOfSlowReads(delay, 200_000, 1);
    double last = shareOfSlowReads(delay, 200_000, 1);
    assertThat(slow).isLessThan(0.035);
    assertThat(last).isCloseTo(0.03, within(0.002));
    double exact = -Math.log(0.03) * MEAN_NANOS;
    assertThat((double) delay.nanos()).isBetween(0.6 * exact, 1.6 * exact);
  }

  @Test
  void should_keep_second_copies_rare_when_everything_becomes_ten_times_slower() {
    HedgeDelay delay = new HedgeDelay(0.03, 10_000_000);
    shareOfSlowReads(delay, 100_000, 1);
    assertThat(shareOfSlowReads(delay, 10_000, 10)).isLessThan(0.04);
  }

  /** Of two that end at once one is lost, slow or not: the share stays what it is. */
  @Test
  void should_find_the_quantile_when_reads_end_on_many_threads_at_once() {
    HedgeDelay delay = new HedgeDelay(0.03, 10_000);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> shareOfSlowReads(delay, 200_000, 1), task -> new Thread(task).start()));
    }
    threads.forEach(CompletableFuture::join);
    double exact = -Math.log(0.03) * MEAN_NANOS;
    assertThat((double) delay.nanos()).isBetween(0.6 * exact, 1.6 * exact);
  }

  private static double shareOfSlowReads(HedgeDelay delay, int reads, double slowdown) {
    RandomSource random = RandomSource.seeded(7);
    int slow = 0;
    for (int i = 0; i < reads; i++) {
      double latency = -Math.log(1 - random.nextDouble()) * MEAN_NANOS * slowdown;
      boolean isSlow = latency > delay.nanos();
      slow += isSlow ? 1 : 0;
      delay.onRead(isSlow);
    }
    return (double) slow / reads;
  }

  @Property(tries = 200)
  void should_never_spend_more_than_its_share_and_one_copy(
      @ForAll long seed, @ForAll @DoubleRange(min = 0.01, max = 0.5) double share) {
    WorkBudget budget = new WorkBudget(share);
    RandomSource random = RandomSource.seeded(seed);
    double work = 0;
    double extra = 0;
    double largest = 0;
    for (int i = 0; i < 2_000; i++) {
      long nanos = random.nextInt(10) == 0 ? 50_000_000 : 1_000_000;
      work += nanos;
      budget.onWork(nanos);
      if (budget.allows()) {
        budget.onExtraWork(nanos);
        extra += nanos;
        largest = Math.max(largest, (double) nanos);
      }
    }
    assertThat(extra).isLessThanOrEqualTo(share * work + largest);
    assertThat(extra).isGreaterThan(0);
  }

  @Test
  void should_see_congestion_while_servers_have_queues_and_forget_it_afterwards() {
    Congestion congestion = new Congestion(0.3);
    assertThat(congestion.isHigh()).isFalse();
    for (int i = 0; i < 1_000; i++) {
      congestion.onAnswer(i % 5 == 0 ? 3 : 0);
    }
    assertThat(congestion.isHigh()).isFalse();
    for (int i = 0; i < 100; i++) {
      congestion.onAnswer(1);
    }
    assertThat(congestion.isHigh()).isTrue();
    for (int i = 0; i < 100; i++) {
      congestion.onAnswer(0);
    }
    assertThat(congestion.isHigh()).isFalse();
  }

  @Test
  void should_refuse_values_out_of_range() {
    assertThatThrownBy(() -> new HedgeDelay(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HedgeDelay(0.1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Congestion(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WorkBudget(1.5)).isInstanceOf(IllegalArgumentException.class);
  }
}
