/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.engine.codec.ByteWriter;
import io.curtail.testnode.EmbeddedNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records that a node keeps in one piece, in a database that is being written to. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RecordCacheTest {
  private static final int KEYS = 40;

  private final Database database = database();
  private Family family;

  private static Database database() {
    EmbeddedNode node = TestNode.start();
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.records (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    return TestNode.store(node.store("twin", "records")).database;
  }

  @BeforeEach
  void create() {
    family = database.families.create(FamilyName.ofCopy().toString());
  }

  @AfterEach
  void drop() {
    database.dropFamily(family.name);
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(16).putInt(i * 0x9E3779B9).putInt(8, i).array();
  }

  private static byte[] value(long version) {
    return value(version, 1_000);
  }

  private static byte[] value(long version, int length) {
    return ByteBuffer.allocate(length).putLong(version).array();
  }

  private void write(int key, long version) {
    Batch batch = put(key, value(version));
    database.write(batch, List.of());
  }

  private Batch put(int key, byte[] value) {
    Batch batch = new Batch();
    batch.put(family.handle, key(key), value);
    return batch;
  }

  /** A row with a column of which the last version is kept. */
  private void merge(int key, long version) {
    ByteWriter fragment = new ByteWriter();
    fragment.write(0);
    fragment.writeLong(version);
    fragment.writeUnsigned(2); // the column
    fragment.write(8); // a cell with a value
    fragment.writeBytes(value(version, 100));
    Batch batch = new Batch();
    batch.merge(family.handle, key(key), fragment);
    database.write(batch, List.of());
  }

  /** Of what {@link #merge} has written, by whomever it was merged. */
  private long readMerged(int key) {
    byte[] found = database.recordCache.find(family, key(key));
    long last = 0;
    for (int at = 0; found != null && at < found.length; at += 1 + found[at]) {
      last = Math.max(last, ByteBuffer.wrap(found).getLong(at + 2));
    }
    return last;
  }

  private long read(int key) {
    byte[] found = database.recordCache.find(family, key(key));
    return found == null ? 0 : ByteBuffer.wrap(found).getLong();
  }

  /** Until it is kept: where the cache is full not every record comes in. */
  private long readOften(int key) {
    long hits = database.recordCache.hits();
    long version = read(key);
    for (int i = 0; i < 1_000 && database.recordCache.hits() == hits; i++) {
      version = read(key);
    }
    return version;
  }

  /** Nothing if RocksDB would be asked. */
  private Optional<byte[]> kept(int key) {
    try {
      return Optional.ofNullable(
          database.recordCache.find(
              family,
              key(key),
              (of, asked) -> {
                throw new NoSuchElementException();
              },
              true));
    } catch (NoSuchElementException e) {
      return Optional.empty();
    }
  }

  @Test
  void should_answer_a_record_that_was_read_without_rocksdb() {
    write(1, 5);
    assertThat(readOften(1)).isEqualTo(5);
    assertThat(kept(1)).hasValue(value(5));
    write(1, 6);
    assertThat(kept(1)).hasValue(value(6));
    database.write(put(1, value(7, 2_000)), List.of());
    assertThat(kept(1)).as("without room").isEmpty();
    assertThat(readOften(1)).isEqualTo(7);
    assertThat(kept(1)).hasValue(value(7, 2_000));
  }

  @Test
  void should_not_answer_a_record_while_it_is_written_nor_when_it_could_not_be() {
    write(1, 5);
    assertThat(readOften(1)).isEqualTo(5);
    Batch batch = put(1, value(6));
    database.recordCache.begin(batch, List.of());
    assertThat(kept(1)).isEmpty();
    database.recordCache.end(batch, List.of(), false);
    assertThat(kept(1)).isEmpty();
    assertThat(readOften(1)).isEqualTo(5);
  }

  @Test
  void should_merge_what_is_written_into_what_is_kept() {
    merge(1, 5);
    long hits = database.recordCache.hits();
    while (database.recordCache.hits() == hits) {
      assertThat(readMerged(1)).isEqualTo(5);
    }
    merge(1, 7);
    merge(1, 6);
    assertThat(kept(1).isPresent()).isEqualTo(database.isMergingNatively());
    assertThat(readMerged(1)).isEqualTo(7);
    assertThat(database.recordCache.find(family, key(1)))
        .isEqualTo(database.get(family.handle, key(1)));
  }

  @Test
  void should_find_what_is_kept_but_keep_nothing_more_for_who_is_about_to_write() {
    write(1, 5);
    write(2, 6);
    assertThat(readOften(1)).isEqualTo(5);
    long hits = database.recordCache.hits();
    for (int i = 1; i <= 100; i++) {
      assertThat(database.recordCache.findOnce(family, key(1))).isEqualTo(value(5));
      assertThat(database.recordCache.findOnce(family, key(2))).isEqualTo(value(6));
      assertThat(database.recordCache.hits()).isEqualTo(hits + i);
    }
  }

  @Test
  void should_forget_a_record_that_is_deleted() {
    write(1, 5);
    assertThat(readOften(1)).isEqualTo(5);
    Batch batch = new Batch();
    batch.delete(family.handle, key(1));
    database.write(batch, List.of());
    assertThat(database.recordCache.find(family, key(1))).isNull();
  }

  @Test
  void should_keep_nothing_while_files_come_in_and_forget_what_it_had() {
    write(1, 5);
    assertThat(readOften(1)).isEqualTo(5);
    family.comingIn(true);
    assertThat(kept(1)).isEmpty();
    for (int i = 0; i < 100; i++) {
      assertThat(read(1)).isEqualTo(5);
    }
    assertThat(kept(1)).isEmpty();
    family.comingIn(false);
    assertThat(kept(1)).isEmpty();
    assertThat(readOften(1)).isEqualTo(5);
    assertThat(kept(1)).hasValue(value(5));
  }

  @Test
  void should_answer_all_records_of_a_batch_as_they_were_written() {
    for (int key = 0; key < 50; key++) {
      write(key, 5);
      readOften(key);
    }
    Batch batch = new Batch();
    for (int key = 0; key < 50; key++) {
      batch.put(family.handle, key(key), value(6));
    }
    database.write(batch, List.of());
    for (int key = 0; key < 50; key++) {
      assertThat(readOften(key)).as("key %s", key).isEqualTo(6);
    }
  }

  @Test
  void should_know_that_there_is_none_until_there_is_one() {
    assertThat(readOften(1)).isZero();
    assertThat(database.recordCache.find(family, key(1), (of, key) -> value(9), true)).isNull();
    write(1, 5);
    assertThat(readOften(1)).isEqualTo(5);
  }

  @Test
  void should_never_answer_less_than_what_was_acknowledged() throws Exception {
    neverAnswerLess(
        writer -> 2 * ThreadLocalRandom.current().nextInt(KEYS / 2) + writer,
        this::write,
        this::read);
  }

  /** Records that several write at once. */
  @Test
  void should_never_answer_less_than_what_was_acknowledged_of_records_that_are_merged()
      throws Exception {
    neverAnswerLess(
        writer -> ThreadLocalRandom.current().nextInt(KEYS), this::merge, this::readMerged);
  }

  /** A reader never gets less than what had been acknowledged before it began. */
  private void neverAnswerLess(IntUnaryOperator keyOf, Write write, IntToLongFunction read)
      throws Exception {
    AtomicLongArray acknowledged = new AtomicLongArray(KEYS);
    race(
        (writer, version) -> {
          int key = keyOf.applyAsInt(writer);
          long own = 2 * version + writer;
          write.write(key, own);
          acknowledged.accumulateAndGet(key, own, Math::max);
        },
        key -> {
          long least = acknowledged.get(key);
          assertThat(read.applyAsLong(key)).as("key %s", key).isGreaterThanOrEqualTo(least);
        });
    for (int key = 0; key < KEYS; key++) {
      assertThat(read.applyAsLong(key)).isEqualTo(acknowledged.get(key));
    }
  }

  /** Of two that write one record at once RocksDB says which is the later. */
  @Test
  void should_answer_what_rocksdb_has_when_several_wrote_the_same_records() throws Exception {
    race(
        (writer, version) -> write(ThreadLocalRandom.current().nextInt(4), 2 * version + writer),
        key -> read(key % 4));
    for (int key = 0; key < 4; key++) {
      assertThat(database.recordCache.find(family, key(key)))
          .isEqualTo(database.get(family.handle, key(key)));
    }
  }

  /** What is done for a version: by one of the writers, or of one of the keys. */
  private interface Write {
    void write(int which, long version);
  }

  private void race(Write write, IntConsumer reader) throws Exception {
    long hits = database.recordCache.hits();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    List<Future<?>> results = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int writer = i;
      results.add(
          threads.submit(
              () -> {
                for (long version = 1; version <= 30_000; version++) {
                  write.write(writer, version);
                }
              }));
    }
    for (int i = 0; i < 4; i++) {
      results.add(
          threads.submit(
              () -> {
                while (!results.get(0).isDone()
                    || !results.get(1).isDone()
                    || database.recordCache.hits() - hits <= 1_000) {
                  reader.accept(ThreadLocalRandom.current().nextInt(KEYS));
                }
                return null;
              }));
    }
    threads.shutdown();
    for (Future<?> result : results) {
      result.get();
    }
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(database.recordCache.hits() - hits).isGreaterThan(1_000);
  }
}
