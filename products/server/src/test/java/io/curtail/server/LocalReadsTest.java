/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
    assertThat(self.point.responseTimeNanos()).isBetween(0.199 * MILLI, 0.201 * MILLI);
    read(4_000);
    assertThat(self.point.responseTimeNanos()).isLessThan(MILLI);
    for (int i = 0; i < 5; i++) {
      read(20_000);
    }
    assertThat(self.point.responseTimeNanos()).isGreaterThan(5.0 * MILLI);
    for (int i = 0; i < 100; i++) {
      read(200);
    }
    assertThat(self.point.responseTimeNanos()).isLessThan(0.25 * MILLI);
  }

  @Test
  void should_forget_what_was_before_a_silence() {
    read(20_000);
    read(20_000);
    host.now += 1_000 * MILLI;
    read(200);
    assertThat(self.point.responseTimeNanos()).isLessThan(2.5 * MILLI);
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
    assertThat(self.point.responseTimeNanos()).isGreaterThan(40.0 * MILLI);
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
    assertThat(self.point.responseTimeNanos()).isGreaterThan(40.0 * MILLI);
  }

  @Test
  void should_see_its_own_range_reads_beside_its_point_reads() {
    FakeTable ranges = new FakeTable();
    ranges.read(1);
    host.rangeTables.add(ranges);
    local.follow(self, host.now);
    read(200);
    assertThat(self.load(ReadKind.RANGE).hasResponded()).isFalse();
    ranges.read(30_000);
    look(10);
    assertThat(self.load(ReadKind.RANGE).responseTimeNanos()).isEqualTo(30.0 * MILLI);
    assertThat(self.load(ReadKind.RANGE).serviceTimeNanos()).isEqualTo(30.0 * MILLI);
    assertThat(self.point.responseTimeNanos()).isEqualTo(0.2 * MILLI);
  }

  @Test
  void should_average_its_own_reads_as_those_of_a_peer() {
    Peer peer = policy.peers().of(FakeHost.address(2));
    read(200);
    peer.reads.onSent(1, ReadKind.POINT, false, host.now - 200_000);
    peer.reads.onAnswered(1, ReadKind.POINT, null, host.now);
    for (int id = 2; id < 20; id++) {
      int micros = id % 5 == 0 ? 5_000 : 200;
      read(micros);
      peer.reads.onSent(id, ReadKind.POINT, false, host.now - 1_000L * micros);
      peer.reads.onAnswered(id, ReadKind.POINT, null, host.now);
      assertThat(self.point.responseTimeNanos())
          .isCloseTo(peer.point.responseTimeNanos(), within(1.0));
    }
  }

  @Test
  void should_find_tables_itself_when_nobody_did_for_long() {
    FakeTable table = host.tables.get(0);
    table.read(200);
    local.refresh(self, host.now);
    table.read(300);
    look(10);
    assertThat(self.point.responseTimeNanos()).isEqualTo(0.3 * MILLI);
    host.tables.set(0, new FakeTable());
    host.tables.get(0).read(300);
    host.now += 6_000 * MILLI;
    local.refresh(self, host.now);
    host.tables.get(0).read(600);
    look(10);
    assertThat(self.point.responseTimeNanos()).isGreaterThan(0.5 * MILLI);
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
