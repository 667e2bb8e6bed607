/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.codec.ByteWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ring and its index, against a map. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RecordSegmentTest {
  private static final int FAMILY = 7;
  private static final long TABLE = RecordSegment.name(FAMILY, 1);
  private static final int BYTES = 1 << 20;

  private RecordSegment segment = RecordSegment.allocate(BYTES, null, new KnownFamilies());

  private static byte[] key(int i) {
    return ByteBuffer.allocate(12).putInt(4, i).array();
  }

  private static byte[] value(int i, int length) {
    byte[] value = new byte[length];
    new Random(i).nextBytes(value);
    return value;
  }

  private byte[] get(int key) {
    return segment.get(TABLE, RecordCache.hash(FAMILY, key(key)), key(key));
  }

  private void put(int key, byte[] value) {
    long hash = RecordCache.hash(FAMILY, key(key));
    segment.put(TABLE, hash, key(key), value, segment.mark(hash));
  }

  /** It could not be written. */
  private void write(int key) {
    BatchChanges change = change(Batch.PUT, key, new byte[0]);
    begin(change);
    segment.end(change.hash(), change, false, null);
  }

  /** True if it is here as it was written. */
  private boolean write(int key, byte[] value) {
    return write(Batch.PUT, key, value);
  }

  private boolean write(int kind, int key, byte[] value) {
    BatchChanges change = change(kind, key, value);
    begin(change);
    end(change);
    return get(key) != null;
  }

  private void begin(BatchChanges change) {
    segment.begin(change.hash(), change);
  }

  private void end(BatchChanges change) {
    segment.end(change.hash(), change, true, null);
  }

  private static BatchChanges change(int kind, int key, byte[] value) {
    ByteWriter batch = new ByteWriter();
    batch.append(new byte[Batch.HEADER_BYTES]);
    batch.write(kind);
    batch.writeUnsigned(FAMILY);
    batch.writeBytes(key(key));
    batch.writeBytes(value);
    BatchChanges changes = new BatchChanges(batch.array(), batch.size());
    assertThat(changes.next()).isTrue();
    return changes;
  }

  /** Gives what it has, if it is asked often enough. */
  private static final class Share extends CacheShare {
    private final int refusals;
    private int left;
    private int asked;
    private int ofUse;

    Share(int left, int refusals) {
      super(null, null, 0, 0);
      this.left = left;
      this.refusals = refusals;
    }

    @Override
    synchronized boolean take(int more, boolean isOfUse) {
      ofUse += isOfUse ? 1 : 0;
      boolean isGiven = asked++ % (refusals + 1) == refusals && more <= left;
      left -= isGiven ? more : 0;
      return isGiven;
    }
  }

  private void allocate(Share share) {
    segment.free();
    segment = RecordSegment.allocate(BYTES, share, new KnownFamilies());
  }

  @Test
  void should_answer_nothing_but_what_was_kept_last() {
    answerNothingElse(BYTES);
  }

  @Test
  void should_answer_nothing_but_what_was_kept_last_while_it_grows() {
    allocate(new Share(BYTES, 3));
    answerNothingElse(BYTES);
    allocate(new Share(BYTES / 2, 1));
    answerNothingElse(BYTES * 3 / 4);
  }

  @Test
  void should_take_no_more_than_it_is_given_and_say_whether_it_is_of_use() {
    Share share = new Share(0, 0);
    allocate(share);
    int first = segment.firstBytes();
    for (int key = 0; key < 10_000; key++) {
      if (get(key) == null) {
        put(key, value(key, 1_000));
      }
    }
    assertThat(share.asked).isGreaterThan(10);
    assertThat(share.ofUse).isZero();
    for (int i = 0; i < 10_000; i++) {
      int key = i % 4 == 0 ? i : i % 40;
      if (get(key) == null) {
        put(key, value(key, 1_000));
      }
    }
    assertThat(share.ofUse).isPositive();
    assertThat(segment.bytes()).isBetween(first * 9L / 10, (long) first);
  }

  /** Also where records end just where the ring does. */
  @Test
  void should_keep_all_that_fits_into_what_it_is_given() {
    for (int size : new int[] {1_000, 28, 92, 120, 300}) {
      allocate(new Share(BYTES, 0));
      int keys = BYTES / 2 / (size + 100);
      for (int turn = 0; turn < 20; turn++) {
        for (int key = 0; key < keys; key++) {
          if (get(key) == null) {
            put(key, value(key, size));
          }
        }
      }
      int kept = 0;
      for (int key = 0; key < keys; key++) {
        kept += get(key) == null ? 0 : 1;
      }
      assertThat(kept).as("of %s bytes", size).isGreaterThan(keys * 95 / 100);
    }
  }

  @Test
  void should_not_say_that_it_is_of_use_where_few_are_read_again() {
    Share share = new Share(0, 0);
    allocate(share);
    for (int i = 0; i < 200_000; i++) {
      int key = i % 100 == 0 ? 0 : i;
      if (get(key) == null) {
        put(key, value(key, 1_000));
      }
    }
    assertThat(share.asked).isBetween(100, 2_000);
    assertThat(share.ofUse).isZero();
  }

  /** The next one fits neither behind nor before the head. */
  @Test
  void should_not_look_for_room_for_what_is_half_of_it() {
    allocate(new Share(0, 0));
    for (int size = 62_000; size < 63_600; size += 16) {
      put(size, value(1, size));
      put(-size, value(1, size));
    }
    for (int i = 0; i < 10; i++) { // not each comes in
      put(1, value(1, 1_000));
    }
    assertThat(get(1)).isEqualTo(value(1, 1_000));
  }

  private void answerNothingElse(int most) {
    Random random = new Random(1);
    Map<Integer, byte[]> model = new HashMap<>();
    Map<Integer, BatchChanges> writing = new HashMap<>();
    int found = 0;
    for (int i = 0; i < 200_000; i++) {
      int key = Math.min(random.nextInt(3_000), random.nextInt(3_000));
      switch (random.nextInt(5)) {
        case 0:
          if (!writing.containsKey(key)) {
            write(key);
            model.remove(key);
          }
          break;
        case 1:
          if (writing.containsKey(key)) {
            end(writing.remove(key)); // what others put meanwhile has moved it
          } else if (writing.size() < 5) {
            byte[] other = value(i, random.nextInt(1_000));
            writing.put(key, change(Batch.PUT, key, other));
            begin(writing.get(key));
            model.replace(key, other);
          }
          break;
        case 2:
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
    assertThat(segment.bytes()).isBetween(most * 7L / 10, (long) most);
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
    long hash = RecordCache.hash(FAMILY, key(1));
    long before = segment.mark(hash);
    segment.begin(hash, FAMILY);
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
    segment.put(RecordSegment.name(1, 1), hash, key(1), value(1, 100), segment.mark(hash));
    assertThat(segment.get(RecordSegment.name(1, 2), hash, key(1))).isNull();
    assertThat(segment.get(RecordSegment.name(1, 1), hash, key(2))).isNull();
    segment.put(RecordSegment.name(1, 2), hash, key(1), value(2, 100), segment.mark(hash));
    segment.put(RecordSegment.name(1, 1), hash, key(2), value(3, 100), segment.mark(hash));
    assertThat(segment.get(RecordSegment.name(1, 1), hash, key(2))).isEqualTo(value(3, 100));
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
  void should_make_a_write_of_a_record_that_has_room_for_it() {
    put(1, value(1, 100));
    assertThat(write(1, value(2, 90))).isTrue();
    assertThat(get(1)).isEqualTo(value(2, 90));
    assertThat(write(1, value(3, 110))).isTrue();
    assertThat(get(1)).isEqualTo(value(3, 110));
    assertThat(write(1, value(4, 200))).isFalse();
    put(1, value(4, 200));
    assertThat(write(Batch.DELETE, 1, new byte[0])).isFalse();
    put(1, value(4, 200));
    assertThat(write(Batch.MERGE, 1, value(5, 10))).as("without who merges").isFalse();
    put(1, null);
    assertThat(write(1, value(6, 1_000))).isFalse();
  }

  @Test
  void should_not_answer_a_record_while_it_is_written() {
    put(1, value(1, 100));
    BatchChanges change = change(Batch.PUT, 1, value(2, 100));
    begin(change);
    assertThat(get(1)).isNull();
    end(change);
    assertThat(get(1)).isEqualTo(value(2, 100));
  }

  /** Others near it are answered, but do not come in. */
  @Test
  void should_answer_others_while_a_record_is_written() {
    for (int key = 0; key < 500; key++) {
      put(key, value(key, 100));
    }
    begin(change(Batch.PUT, 0, value(1, 100)));
    assertThat(get(0)).isNull();
    for (int key = 1; key < 500; key++) {
      assertThat(get(key)).isEqualTo(value(key, 100));
    }
  }

  /** Of a partition all goes that is kept by its hash, whatever it is called. */
  @Test
  void should_forget_what_is_kept_by_a_hash() {
    long hash = 42;
    segment.put(TABLE, hash, key(1), value(1, 100), segment.mark(hash));
    segment.put(TABLE, hash, key(2), value(1, 100), segment.mark(hash));
    segment.begin(hash, FAMILY);
    assertThat(segment.get(TABLE, hash, key(1))).isNull();
    assertThat(segment.get(TABLE, hash, key(2))).isNull();
    segment.end(hash);
    assertThat(segment.get(TABLE, hash, key(1))).isNull();
  }

  /** RocksDB knows their order. */
  @Test
  void should_forget_a_record_that_two_write_at_once() {
    for (boolean isFirstLonger : new boolean[] {true, false}) {
      put(1, value(1, 100));
      BatchChanges first = change(Batch.PUT, 1, value(2, 100));
      BatchChanges second = change(Batch.PUT, 1, value(3, 100));
      begin(first);
      begin(second);
      end(isFirstLonger ? second : first);
      assertThat(get(1)).isNull();
      end(isFirstLonger ? first : second);
      assertThat(get(1)).isNull();
    }
  }

  @Test
  void should_forget_a_record_that_could_not_be_written() {
    put(1, value(1, 100));
    write(1);
    assertThat(get(1)).isNull();
  }

  @Test
  void should_let_a_record_go_that_is_written_and_not_read() {
    for (int writes : new int[] {8, 9}) {
      put(1, value(1, 100));
      for (int round = 0; round < 3; round++) {
        BatchChanges change = change(Batch.PUT, 1, value(round, 100));
        for (int i = 0; i < (round == 2 ? writes : 8); i++) {
          begin(change);
          end(change);
        }
        assertThat(get(1) != null).isEqualTo(round < 2 || writes == 8);
      }
      write(1);
    }
  }

  /** A file may bring other records, after which a table is known by another number. */
  @Test
  void should_write_to_a_record_by_whichever_number_its_table_is_known() {
    long hash = RecordCache.hash(FAMILY, key(1));
    long later = RecordSegment.name(FAMILY, 2);
    put(1, value(1, 100));
    segment.put(later, hash, key(1), value(2, 100), segment.mark(hash));
    write(1, value(3, 100));
    assertThat(segment.get(later, hash, key(1))).isEqualTo(value(3, 100));
    long other = RecordSegment.name(FAMILY + 1, 2);
    segment.put(other, hash, key(1), value(4, 100), segment.mark(hash));
    write(1, value(5, 100));
    assertThat(segment.get(other, hash, key(1))).isEqualTo(value(4, 100));
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
    begin(change(Batch.PUT, 0, new byte[0]));
    int kept = 0;
    for (int key = 1; key <= 100; key++) {
      put(key, value(key, 100));
      kept += get(key) == null ? 0 : 1;
    }
    assertThat(kept).isBetween(80, 100);
  }

  @Test
  void should_have_places_up_to_the_end_of_the_largest() {
    RecordSegment largest =
        RecordSegment.allocate(RecordSegment.MOST_BYTES, null, new KnownFamilies());
    for (int turn = 0; turn < 3; turn++) {
      for (int key = 0; key < 30_000; key++) {
        byte[] own = key(turn * 30_000 + key);
        long hash = RecordCache.hash(FAMILY, own);
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
