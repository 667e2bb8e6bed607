/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.server.FakeHost.FakeTable;
import org.junit.jupiter.api.Test;

class LocalReadsTest {
  private static final long MILLI = 1_000_000;
  private final FakeHost host = new FakeHost();
  private final ActivePolicy policy = new ActivePolicy(Settings.defaults(), host);
  private final Peer self = policy.peers().of(host.self());
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
  void should_find_a_new_table_within_a_second_and_forget_one_that_is_not_read() {
    read(200);
    FakeTable made = new FakeTable();
    host.tables.add(made);
    look(10);
    assertThat(made.looks).isZero();
    look(1_000);
    int unread = made.looks;
    look(10);
    assertThat(made.looks).isEqualTo(unread);
    made.read(50_000);
    look(1_000);
    made.read(50_000);
    look(10);
    assertThat(self.responseTimeNanos()).isGreaterThan(40.0 * MILLI);
    look(1_000);
    look(58_000);
    unread = made.looks;
    look(10);
    assertThat(made.looks).isGreaterThan(unread);
    look(2_000);
    unread = made.looks;
    look(10);
    assertThat(made.looks).isEqualTo(unread);
  }

  @Test
  void should_see_the_next_read_after_a_table_with_many_is_dropped() {
    for (int i = 0; i < 10; i++) {
      read(200);
    }
    FakeTable kept = new FakeTable();
    kept.read(200);
    host.tables.add(kept);
    look(1_000);
    host.tables.remove(0);
    look(1_000);
    kept.read(50_000);
    look(10);
    assertThat(self.responseTimeNanos()).isGreaterThan(40.0 * MILLI);
  }

  @Test
  void should_find_tables_itself_when_nobody_did_for_long() {
    FakeTable table = host.tables.get(0);
    table.read(200);
    local.refresh(self, host.now);
    table.read(300);
    look(10);
    assertThat(self.responseTimeNanos()).isEqualTo(0.3 * MILLI);
    host.tables.set(0, new FakeTable());
    host.tables.get(0).read(300);
    host.now += 6_000 * MILLI;
    local.refresh(self, host.now);
    host.tables.get(0).read(600);
    look(10);
    assertThat(self.responseTimeNanos()).isGreaterThan(0.5 * MILLI);
  }

  @Test
  void should_look_every_ten_milliseconds_at_most() {
    read(200);
    FakeTable table = host.tables.get(0);
    int looks = table.looks;
    for (int i = 0; i < 100; i++) {
      host.now += MILLI;
      local.refresh(self, host.now);
    }
    assertThat(table.looks - looks).isEqualTo(10);
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
    FakeTable table = host.tables.get(0);
    if (table.count == 0) {
      table.count++;
      local.follow(self, host.now);
    }
    table.read(micros);
    host.now += 10 * MILLI;
    local.refresh(self, host.now);
  }

  // Time passes, and a ranking comes.
  private void look(long millis) {
    host.now += millis * MILLI;
    if (millis >= 1_000) {
      local.follow(self, host.now);
    }
    local.refresh(self, host.now);
  }
}
