/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocalReadsTest {
  private static final long MILLI = 1_000_000;
  private final FakeHost host = new FakeHost();
  private final Selector selector = new Selector(Settings.defaults(), host);
  private final Peer self = selector.peers().of(host.self());
  private final LocalReads local = new LocalReads(host);

  @Test
  void should_tell_a_slow_disk_from_a_single_slow_read() {
    for (int i = 0; i < 100; i++) {
      read(200);
    }
    assertThat(self.responseTimeNanos()).isBetween(0.199 * MILLI, 0.201 * MILLI);
    read(4_000);
    assertThat(self.responseTimeNanos()).isLessThan(0.7 * MILLI);
    for (int i = 0; i < 5; i++) {
      read(20_000);
    }
    assertThat(self.responseTimeNanos()).isGreaterThan(5.0 * MILLI);
    for (int i = 0; i < 100; i++) {
      read(200);
    }
    assertThat(self.responseTimeNanos()).isLessThan(0.25 * MILLI);
  }

  @Test
  void should_forget_what_was_before_a_silence() {
    read(20_000);
    read(20_000);
    host.now += 1_000 * MILLI;
    read(200);
    assertThat(self.responseTimeNanos()).isLessThan(2.5 * MILLI);
  }

  @Test
  void should_leave_out_a_sample_while_a_table_is_made() {
    read(200);
    host.makesTable = true;
    read(4_000);
    assertThat(self.responseTimeNanos()).isLessThan(0.201 * MILLI);
    host.makesTable = false;
    read(200);
    assertThat(self.responseTimeNanos()).isGreaterThan(0.4 * MILLI);
  }

  @Test
  void should_know_when_reads_are_slower_than_usual() {
    for (int i = 0; i < 100; i++) {
      read(200);
      assertThat(local.areSlow()).isFalse();
    }
    for (int i = 0; i < 10; i++) {
      read(2_000);
    }
    assertThat(local.areSlow()).isTrue();
    for (int i = 0; i < 30_000; i++) {
      read(2_000);
    }
    assertThat(local.areSlow()).isFalse();
  }

  private void read(long micros) {
    if (host.localReads == 0) {
      local.sample(self, host.now);
    }
    host.now += 10 * MILLI;
    host.localReads++;
    host.localReadMicros += micros;
    local.sample(self, host.now);
  }
}
