/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
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
    segment.put(TABLE, RecordCache.hash(TABLE, key(key)), key(key), value, segment.mark());
  }

  private void write(int key) {
    segment.begin(RecordCache.hash(TABLE, key(key)));
    segment.end();
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
    long before = segment.mark();
    segment.begin(hash);
    long meanwhile = segment.mark();
    segment.put(TABLE, hash, key(1), value(1, 10), before);
    segment.put(TABLE, hash, key(1), value(1, 10), meanwhile);
    assertThat(get(1)).isNull();
    segment.end();
    segment.put(TABLE, hash, key(1), value(1, 10), before);
    segment.put(TABLE, hash, key(1), value(1, 10), meanwhile);
    assertThat(get(1)).isNull();
    put(1, value(2, 10));
    assertThat(get(1)).isEqualTo(value(2, 10));
  }

  @Test
  void should_part_tables_and_keys_of_one_hash() {
    long hash = 42;
    segment.put(1, hash, key(1), value(1, 100), segment.mark());
    assertThat(segment.get(2, hash, key(1))).isNull();
    assertThat(segment.get(1, hash, key(2))).isNull();
    segment.put(2, hash, key(1), value(2, 100), segment.mark());
    segment.put(1, hash, key(2), value(3, 100), segment.mark());
    assertThat(segment.get(1, hash, key(2))).isEqualTo(value(3, 100));
  }

  @Test
  void should_not_give_much_of_itself_to_one_record() {
    put(1, value(1, BYTES / 15));
    assertThat(get(1)).isNull();
    put(2, value(2, BYTES / 18));
    assertThat(get(2)).isNotNull();
  }
}
