/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.waiting.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What is asked of RocksDB while it refuses writes. */
class BackgroundErrorsTest {
  private static final Status FULL =
      new Status(Status.Code.IOError, Status.SubCode.NoSpace, "no space left");
  private static final Status DAMAGE =
      new Status(Status.Code.Corruption, Status.SubCode.None, "damaged");

  private final EmbeddedNode node = TestNode.start();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong(1);
  private final AtomicInteger asked = new AtomicInteger();
  private BackgroundErrors errors;
  private boolean isStopped = true;

  @BeforeEach
  void load() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    errors = new BackgroundErrors("there", failures::add, nanos::get);
  }

  @Test
  void should_ask_rocksdb_once_in_a_while_only_when_it_has_refused_a_write() throws Exception {
    stop();
    for (int i = 0; i < 100; i++) {
      assertRefused();
    }
    assertThat(asked).hasValue(0);
    nanos.addAndGet(BackgroundErrors.ASKING_NANOS);
    for (int i = 0; i < 100; i++) {
      assertRefused();
    }
    assertThat(asked).hasValue(1);
    nanos.addAndGet(BackgroundErrors.ASKING_NANOS);
    isStopped = false;
    errors.begin(this::ask);
    assertThat(asked).hasValue(2);
    errors.begin(this::ask);
    assertThat(asked).hasValue(2);
  }

  @Test
  void should_take_writes_at_once_when_rocksdb_has_recovered() throws Exception {
    stop();
    errors.onErrorRecoveryCompleted(FULL);
    errors.begin(this::ask);
    assertThat(asked).hasValue(0);
  }

  @Test
  void should_not_stop_for_a_refusal_of_before_rocksdb_recovered() throws Exception {
    errors.onBackgroundError(BackgroundErrorReason.FLUSH, FULL);
    BackgroundErrors.Period begun = errors.begin(this::ask);
    refuse();
    errors.onErrorRecoveryCompleted(FULL);
    errors.refused(begun, new RocksDBException(FULL));
    errors.begin(this::ask);
    assertThat(asked).hasValue(0);
  }

  @Test
  void should_refuse_nothing_when_rocksdb_failed_and_takes_writes() throws Exception {
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, FULL);
    BackgroundErrors.Period begun = errors.begin(this::ask);
    errors.refused(begun, new RocksDBException(DAMAGE));
    errors.begin(this::ask);
    assertThat(asked).hasValue(0);
  }

  /** Each would hold the recovery up. */
  @Test
  void should_let_nobody_ask_for_flushes_until_rocksdb_has_recovered() throws RocksDBException {
    AtomicInteger changes = new AtomicInteger();
    errors.tell(changes::incrementAndGet, () -> {});
    assertThat(errors.mayFlush()).isTrue();
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, FULL);
    assertThat(errors.mayFlush()).isTrue();
    stop();
    assertThat(errors.mayFlush()).isFalse();
    assertThat(errors.isStopped()).isTrue();
    assertThat(changes).hasValue(1);
    errors.onErrorRecoveryCompleted(FULL);
    assertThat(errors.mayFlush()).isTrue();
    assertThat(changes).hasValue(2);
  }

  @Test
  void should_let_others_ask_for_flushes_half_a_minute_after_one_has_failed() {
    errors.flushFailed();
    assertThat(errors.mayFlush()).isFalse();
    nanos.addAndGet(BackgroundErrors.ASKING_NANOS);
    assertThat(errors.mayFlush()).isTrue();
    errors.flushFailed();
    errors.flushed();
    assertThat(errors.mayFlush()).isTrue();
    errors.flushFailed();
    errors.onErrorRecoveryCompleted(FULL);
    assertThat(errors.mayFlush()).isTrue();
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, FULL);
    errors.flushFailed(); // RocksDB says so of those that have not
    assertThat(errors.mayFlush()).isTrue();
  }

  @Test
  void should_know_of_a_compaction_that_met_a_full_disk_until_rocksdb_has_recovered() {
    AtomicInteger recovered = new AtomicInteger();
    errors.tell(() -> {}, recovered::incrementAndGet);
    errors.onBackgroundError(BackgroundErrorReason.FLUSH, FULL);
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, DAMAGE);
    assertThat(errors.areCompactionsStopped()).isFalse();
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, FULL);
    assertThat(errors.areCompactionsStopped()).isTrue();
    assertThat(recovered).hasValue(0);
    errors.onErrorRecoveryCompleted(FULL);
    assertThat(errors.areCompactionsStopped()).isFalse();
    assertThat(recovered).hasValue(1);
  }

  @Test
  void should_tell_of_a_failure_once_however_many_writes_are_refused() throws Exception {
    stop();
    for (int i = 0; i < 10; i++) {
      refuse();
      errors.onBackgroundError(BackgroundErrorReason.FLUSH, FULL);
    }
    assertTold(1);
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, DAMAGE);
    assertTold(2);
    errors.onErrorRecoveryCompleted(FULL);
    errors.onBackgroundError(BackgroundErrorReason.FLUSH, FULL);
    assertTold(3);
    errors.onBackgroundError(BackgroundErrorReason.COMPACTION, FULL);
    assertTold(4);
  }

  /** Those that are told are told in their order, so the last one ends it. */
  private void assertTold(int count) {
    Waiting.await(() -> failures.size() >= count);
    assertThat(failures).hasSize(count);
  }

  private void stop() throws RocksDBException {
    errors.onBackgroundError(BackgroundErrorReason.FLUSH, FULL);
    BackgroundErrors.Period begun = errors.begin(this::ask);
    refuse();
    errors.refused(begun, new RocksDBException(FULL));
  }

  /** RocksDB takes a write that it refuses for one more error. */
  private void refuse() {
    errors.onBackgroundError(BackgroundErrorReason.WRITE_CALLBACK, FULL);
  }

  private void ask() throws RocksDBException {
    asked.incrementAndGet();
    if (isStopped) {
      refuse();
      throw new RocksDBException(FULL);
    }
  }

  private void assertRefused() {
    assertThatThrownBy(() -> errors.begin(this::ask))
        .isInstanceOf(RocksDBException.class)
        .extracting(e -> ((RocksDBException) e).getStatus().getState())
        .isEqualTo("no space left");
  }
}
