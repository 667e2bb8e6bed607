/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The ring and its index, against a map. */
final class RecordSegmentTest {
  private static final int TABLE = 7;
  private static final int BYTES = 1 << 20;

  private final RecordSegment segment = RecordSegment.allocate(BYTES);

  private static byte[] key(int i) {
    return ByteBuffer.allocate(12).putInt(4, i).array();
  }

  private static byte[] value(int i, int length) {
    byte[] value = new byte[length];
    new Random(i).nextBytes(value);
    return value;
  }

  private byte[] get(int key) {
    return segment.get(TABLE, RecordCache.hash(TABLE, key(key)), key(key));
  }

  private void put(int key, byte[] value) {
    long hash = RecordCache.hash(TABLE, key(key));
    segment.put(TABLE, hash, key(key), value, segment.mark(hash));
  }

  private void write(int key) {
    long hash = RecordCache.hash(TABLE, key(key));
    segment.begin(hash);
    segment.end(hash);
  }

  @Test
  void should_answer_nothing_but_what_was_kept_last() {
    Random random = new Random(1);
    Map<Integer, byte[]> model = new HashMap<>();
    int found = 0;
    for (int i = 0; i < 200_000; i++) {
      int key = Math.min(random.nextInt(3_000), random.nextInt(3_000));
      switch (random.nextInt(4)) {
        case 0:
          write(key);
          model.remove(key);
          break;
        case 1:
          byte[] value = value(i, random.nextInt(random.nextInt(100) == 0 ? 70_000 : 1_000));
          if (!model.containsKey(key)) {
            put(key, value);
            model.put(key, value);
          }
          break;
        default:
          byte[] kept = get(key);
          if (kept != null) {
            found++;
            assertThat(kept).isEqualTo(model.get(key));
          }
      }
    }
    assertThat(found).isGreaterThan(10_000);
    assertThat(segment.hits()).isEqualTo(found);
    assertThat(segment.bytes()).isBetween(BYTES * 9 / 10L, (long) BYTES);
  }

  @Test
  void should_have_all_that_fits() {
    for (int key = 0; key < 1_000; key++) {
      put(key, value(key, 800));
    }
    for (int key = 0; key < 1_000; key++) {
      assertThat(get(key)).as("key %s", key).isEqualTo(value(key, 800));
    }
  }

  @Test
  void should_keep_what_is_read_while_others_pass() {
    for (int key = 0; key < 100; key++) {
      put(key, value(key, 1_000));
    }
    for (int key = 100; key < 100_000; key++) {
      put(key, value(key, 1_000));
      if (get(key % 100) == null) {
        put(key % 100, value(key % 100, 1_000));
      }
    }
    int kept = 0;
    for (int key = 0; key < 100; key++) {
      kept += get(key) == null ? 0 : 1;
    }
    assertThat(kept).isGreaterThan(95);
  }

  @Test
  void should_keep_nothing_that_was_found_before_or_while_something_was_written() {
    long hash = RecordCache.hash(TABLE, key(1));
    long before = segment.mark(hash);
    segment.begin(hash);
    long meanwhile = segment.mark(hash);
    segment.put(TABLE, hash, key(1), value(1, 10), before);
    segment.put(TABLE, hash, key(1), value(1, 10), meanwhile);
    assertThat(get(1)).isNull();
    segment.end(hash);
    segment.put(TABLE, hash, key(1), value(1, 10), before);
    segment.put(TABLE, hash, key(1), value(1, 10), meanwhile);
    assertThat(get(1)).isNull();
    put(1, value(2, 10));
    assertThat(get(1)).isEqualTo(value(2, 10));
  }

  @Test
  void should_part_tables_and_keys_of_one_hash() {
    long hash = 42;
    segment.put(1, hash, key(1), value(1, 100), segment.mark(hash));
    assertThat(segment.get(2, hash, key(1))).isNull();
    assertThat(segment.get(1, hash, key(2))).isNull();
    segment.put(2, hash, key(1), value(2, 100), segment.mark(hash));
    segment.put(1, hash, key(2), value(3, 100), segment.mark(hash));
    assertThat(segment.get(1, hash, key(2))).isEqualTo(value(3, 100));
  }

  @Test
  void should_not_give_much_of_itself_to_one_record() {
    put(1, value(1, BYTES / 15));
    assertThat(get(1)).isNull();
    put(2, value(2, BYTES / 18));
    assertThat(get(2)).isNotNull();
  }

  @Test
  void should_know_that_there_is_no_record_until_one_is_written() {
    put(1, null);
    assertThat(get(1)).isSameAs(RecordSegment.ABSENT);
    put(2, new byte[0]);
    assertThat(get(2)).isEmpty();
    assertThat(get(2)).isNotSameAs(RecordSegment.ABSENT);
    write(1);
    assertThat(get(1)).isNull();
  }

  @Test
  void should_not_keep_a_record_twice() {
    for (int i = 0; i < 10_000; i++) {
      put(1, value(1, 1_000));
    }
    assertThat(segment.bytes()).isLessThan(BYTES / 10);
  }

  /** Writes of other records, which may wait long, hold up few. */
  @Test
  void should_keep_most_records_while_another_is_written() {
    segment.begin(RecordCache.hash(TABLE, key(0)));
    int kept = 0;
    for (int key = 1; key <= 100; key++) {
      put(key, value(key, 100));
      kept += get(key) == null ? 0 : 1;
    }
    assertThat(kept).isBetween(80, 100);
  }

  @Test
  void should_have_places_up_to_the_end_of_the_largest() {
    RecordSegment largest = RecordSegment.allocate(RecordSegment.MOST_BYTES);
    for (int turn = 0; turn < 3; turn++) {
      for (int key = 0; key < 30_000; key++) {
        byte[] own = key(turn * 30_000 + key);
        long hash = RecordCache.hash(TABLE, own);
        largest.put(TABLE, hash, own, value(key, 500), largest.mark(hash));
        byte[] kept = largest.get(TABLE, hash, own);
        assertThat(kept == null || Arrays.equals(kept, value(key, 500))).isTrue();
      }
    }
    assertThat(largest.hits()).isGreaterThan(30_000);
    assertThat(largest.bytes()).isBetween(RecordSegment.MOST_BYTES * 99 / 100L, 1L << 24);
    largest.free();
  }
}
