/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ReplicaLoadConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 200_000;

  @Test
  void should_count_exactly_and_stay_within_what_was_seen_when_threads_record_and_rank()
      throws InterruptedException, ExecutionException {
    ReplicaLoad[] loads = new ReplicaLoad[3];
    for (int i = 0; i < 3; i++) {
      loads[i] = new ReplicaLoad(LoadSettings.perElapsedTime(50_000));
      loads[i].onSent();
      loads[i].onResponse(1_500, new Feedback(0, 4, 4, 150), 0);
    }
    RankingPolicy policy = Policies.named("curtail").newRanking(PolicySettings.DEFAULTS);
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int seed = t;
        running.add(threads.submit(() -> recordAndRank(loads, policy, start, seed)));
      }
      start.countDown();
      for (Future<?> thread : running) {
        thread.get();
      }
    } finally {
      threads.shutdownNow();
    }
    for (ReplicaLoad load : loads) {
      assertThat(load.outstanding()).isEqualTo(THREADS * 100);
      assertThat(load.responseTimeNanos()).isBetween(1_000.0, 2_000.0);
      assertThat(load.serviceTimeNanos()).isBetween(100.0, 200.0);
    }
  }

  private static Void recordAndRank(
      ReplicaLoad[] loads, RankingPolicy policy, CountDownLatch start, int seed)
      throws InterruptedException {
    Candidates candidates = new Candidates(RandomSource.seeded(seed));
    RandomSource random = RandomSource.seeded(100 + seed);
    start.await();
    for (ReplicaLoad load : loads) {
      for (int i = 0; i < 100; i++) {
        load.onSent();
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      candidates.start(round);
      for (ReplicaLoad load : loads) {
        candidates.add(load);
      }
      policy.rank(candidates);
      ReplicaLoad best = candidates.get(0);
      best.onSent();
      if (round % 7 == 0) {
        best.onAbandoned();
      } else {
        Feedback feedback = new Feedback(random.nextInt(9), 4, 4, 100 + random.nextInt(100));
        best.onResponse(1_000 + random.nextInt(1_000), feedback, round);
      }
    }
    return null;
  }
}
