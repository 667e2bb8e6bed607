/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final long SECOND = 1_000_000_000L;

  @Property(tries = 200)
  void should_never_issue_more_than_it_held_and_got(
      @ForAll long seed,
      @ForAll @DoubleRange(min = 1, max = 400) double capacity,
      @ForAll @DoubleRange(min = 0.5, max = 100_000) double rate) {
    TokenBucket bucket = new TokenBucket(capacity, rate, 0);
    RandomSource random = RandomSource.seeded(seed);
    long now = 0;
    long issued = 0;
    for (int i = 0; i < 1_000; i++) {
      now += random.nextInt((int) Math.max(2, 2e9 / rate));
      issued += bucket.tryAcquire(now) == 0 ? 1 : 0;
      assertThat((double) issued).isLessThanOrEqualTo(capacity + rate * now / SECOND + 1e-6);
    }
  }

  @Property(tries = 200)
  void should_never_issue_more_than_the_fastest_rate_allows_when_rates_change(@ForAll long seed) {
    TokenBucket bucket = new TokenBucket(10, 500, 0);
    RandomSource random = RandomSource.seeded(seed);
    long now = 0;
    double allowance = 10;
    double rate = 500;
    long issued = 0;
    for (int i = 0; i < 2_000; i++) {
      long step = random.nextInt(4_000_000);
      now += step;
      allowance += rate * step / SECOND;
      if (random.nextInt(4) == 0) {
        rate = 0.5 + random.nextInt(2_000);
        bucket.setRate(rate, now);
      }
      issued += bucket.tryAcquire(now) == 0 ? 1 : 0;
      assertThat((double) issued).isLessThanOrEqualTo(allowance + 1e-6);
    }
  }

  @Test
  void should_say_how_long_to_wait_and_be_right() {
    TokenBucket bucket = new TokenBucket(1, 100, 0);
    assertThat(bucket.tryAcquire(0)).isZero();
    long wait = bucket.tryAcquire(3_000_000);
    assertThat(wait).isEqualTo(7_000_000);
    assertThat(bucket.tryAcquire(3_000_000 + wait - 1)).isEqualTo(1);
    assertThat(bucket.tryAcquire(3_000_000 + wait)).isZero();
  }

  @Test
  void should_go_into_debt_but_not_beyond_its_capacity() {
    TokenBucket bucket = new TokenBucket(5, 100, 0);
    for (int i = 0; i < 100; i++) {
      bucket.acquire(0);
    }
    assertThat(bucket.tokens(0)).isEqualTo(-5);
  }

  @Test
  void should_not_over_issue_when_threads_compete()
      throws InterruptedException, ExecutionException {
    TokenBucket bucket = new TokenBucket(50, 1_000, 0);
    AtomicLong clock = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    long issued = 0;
    try {
      List<Future<Long>> counts = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        counts.add(
            threads.submit(
                () -> {
                  long own = 0;
                  for (int i = 0; i < 100_000; i++) {
                    own += bucket.tryAcquire(clock.addAndGet(10_000)) == 0 ? 1 : 0;
                  }
                  return own;
                }));
      }
      for (Future<Long> count : counts) {
        issued += count.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat((double) issued).isLessThanOrEqualTo(50 + 1_000.0 * clock.get() / SECOND);
    assertThat(issued).isGreaterThan(3_900);
  }
}
