/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentReadsTest {
  private final SentReads reads = new SentReads(64);

  @Test
  void should_end_a_read_once() {
    assertThat(reads.add(7, 1_000)).isTrue();
    assertThat(reads.remove(7)).isEqualTo(1_000);
    assertThat(reads.remove(7)).isEqualTo(SentReads.NOT_FOUND);
    assertThat(reads.removeExpired(Long.MAX_VALUE, 0)).isZero();
  }

  @Test
  void should_not_take_a_free_place_for_a_read() {
    assertThat(reads.remove(0)).isEqualTo(SentReads.NOT_FOUND);
    assertThat(reads.remove(-1)).isEqualTo(SentReads.NOT_FOUND);
  }

  /** Cassandra counts messages in an int, which overflows within days. */
  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void should_end_a_read_whose_id_comes_from_an_int_that_overflowed(int id) {
    assertThat(reads.add(id, 500)).isTrue();
    assertThat(reads.removeExpired(1_000, 600)).isZero();
    assertThat(reads.remove(id)).isEqualTo(500);
    assertThat(reads.remove(id)).isEqualTo(SentReads.NOT_FOUND);
    assertThat(reads.add(id, 500)).isTrue();
    assertThat(reads.removeExpired(1_000, 400)).isEqualTo(1);
    assertThat(reads.remove(id)).isEqualTo(SentReads.NOT_FOUND);
  }

  @Test
  void should_keep_reads_whose_ids_share_their_low_bits() {
    for (int i = 0; i < SentReads.PROBES; i++) {
      assertThat(reads.add(5 + 64L * i, i)).isTrue();
    }
    assertThat(reads.add(5 + 64L * 100, 0)).isFalse();
    assertThat(reads.remove(5 + 64L * 3)).isEqualTo(3);
    assertThat(reads.add(5 + 64L * 100, 9)).isTrue();
    assertThat(reads.remove(5 + 64L * 100)).isEqualTo(9);
  }

  @Test
  void should_grow_only_when_many_reads_are_outstanding() {
    SentReads grown = new SentReads(2_048);
    for (int id = 1; id <= SentReads.FEW; id++) {
      assertThat(grown.add(id, id)).isTrue();
    }
    assertThat(grown.places()).isEqualTo(SentReads.FEW);
    for (int id = SentReads.FEW + 1; id <= 1_000; id++) {
      assertThat(grown.add(id, id)).isTrue();
    }
    assertThat(grown.remove(3)).isEqualTo(3);
    assertThat(grown.remove(900)).isEqualTo(900);
    assertThat(grown.remove(900)).isEqualTo(SentReads.NOT_FOUND);
    assertThat(grown.removeExpired(Long.MAX_VALUE, 0)).isEqualTo(998);
  }

  @Test
  void should_expire_only_what_is_older_than_the_timeout() {
    reads.add(1, 0);
    reads.add(2, 500);
    assertThat(reads.removeExpired(1_000, 600)).isEqualTo(1);
    assertThat(reads.remove(1)).isEqualTo(SentReads.NOT_FOUND);
    assertThat(reads.remove(2)).isEqualTo(500);
  }

  @Test
  void should_end_each_read_exactly_once_among_threads_that_answer_and_expire() throws Exception {
    int total = 200_000;
    SentReads shared = new SentReads(1024);
    AtomicLong ended = new AtomicLong();
    AtomicLong added = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> all = new ArrayList<>();
    AtomicLong ids = new AtomicLong();
    for (int thread = 0; thread < 3; thread++) {
      all.add(
          threads.submit(
              () -> {
                for (long id = ids.incrementAndGet(); id <= total; id = ids.incrementAndGet()) {
                  if (shared.add(id, id)) {
                    added.incrementAndGet();
                  }
                  if (shared.remove(id - 3) != SentReads.NOT_FOUND) {
                    ended.incrementAndGet();
                  }
                  if (shared.remove(id - 3) != SentReads.NOT_FOUND) {
                    ended.incrementAndGet();
                  }
                }
              }));
    }
    all.add(
        threads.submit(
            () -> {
              while (ids.get() < total) {
                ended.addAndGet(shared.removeExpired(ids.get(), 5));
              }
            }));
    for (Future<?> each : all) {
      each.get();
    }
    threads.shutdown();
    ended.addAndGet(shared.removeExpired(Long.MAX_VALUE, 0));
    assertThat(ended).hasValue(added.get());
    assertThat(added.get()).isGreaterThan(total / 2);
  }
}
