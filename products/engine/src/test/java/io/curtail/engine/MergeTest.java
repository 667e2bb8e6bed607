/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.codec.ColumnView;
import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.codec.RecordEncoder;
import io.curtail.engine.store.NativeCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.memory.MemoryUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The merge in C, where there is a library, and in Java against Cassandra's own {@link Rows#merge},
 * in any grouping and order. {@code -Dcurtail.merges=5000000} makes it long, {@code
 * -Dcurtail.seed=...} replays.
 */
class MergeTest {
  private static final int MERGES = Integer.getInteger("curtail.merges", 40_000);

  private final ColumnDictionary columns = new ColumnDictionary((id, column) -> {});
  private final RecordEncoder encoder = new RecordEncoder();

  @BeforeAll
  static void loadLibraries() throws IOException {
    TestNode.start()
        .cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    MergeLibrary.load(directory());
  }

  private static Path directory() {
    return Path.of(Engine.running().database.directory, "native");
  }

  @Test
  void should_merge_as_cassandra_does_when_fragments_are_grouped_and_ordered_anyhow() {
    long first = Long.getLong("curtail.seed", 20261121L);
    for (long seed = first; seed < first + MERGES; seed++) {
      Random random = new Random(seed);
      RandomRows rows = new RandomRows(random);
      List<Row> inputs = new ArrayList<>();
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        inputs.add(rows.next());
      }
      Row expected = inputs.stream().reduce(Rows::merge).orElseThrow();
      List<byte[]> values = new ArrayList<>();
      inputs.forEach(row -> values.add(encode(row)));
      String wanted = RandomRows.canonical(expected);
      assertThat(RandomRows.canonical(decode(concatenated(values))))
          .as("in Java, seed %d", seed)
          .isEqualTo(wanted);
      if (!MergeLibrary.isBuilt()) {
        continue;
      }
      Collections.shuffle(values, random);
      assertThat(RandomRows.canonical(decode(mergedInGroups(values, random))))
          .as("in C, seed %d", seed)
          .isEqualTo(wanted);
    }
  }

  @Test
  void should_keep_what_belongs_to_the_partition_when_headers_are_merged() throws IOException {
    if (MergeLibrary.isMissing()) {
      return;
    }
    DeletionTime older = DeletionTime.build(5, 10);
    DeletionTime newer = DeletionTime.build(6, 9);
    byte[] merged =
        NativeMerge.merge(
            new byte[][] {
              record(encoder.encode(columns, null, newer, false, false)),
              record(encoder.encode(columns, null, older, true, false))
            });
    RecordDecoder decoder = decoder();
    assertThat(decoder.header(merged)).isNull();
    assertThat(decoder.partitionDeletion()).isEqualTo(newer);
    assertThat(decoder.hasRanges()).isTrue();
  }

  @Test
  void should_refuse_when_a_value_is_damaged() throws IOException {
    if (MergeLibrary.isMissing()) {
      return;
    }
    Random random = new Random(5);
    RandomRows rows = new RandomRows(random);
    for (int i = 0; i < 20_000; i++) {
      byte[] value = encode(rows.next());
      byte[] other = encode(rows.next());
      byte[] cut = Arrays.copyOf(value, random.nextInt(value.length - 1) + 1);
      assertThat(NativeMerge.merge(new byte[][] {cut, other})).isNull();
      // Any other damage must not crash the process.
      value[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
      NativeMerge.merge(new byte[][] {value, other});
    }
  }

  /** In a place for a record, among others. */
  @Test
  void should_merge_in_place_where_there_is_room_and_change_nothing_where_not() throws IOException {
    NativeCalls calls = MergeLibrary.load(directory()).orElse(null);
    if (calls == null) {
      return;
    }
    RandomRows rows = new RandomRows(new Random(7));
    int made = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] value = encode(rows.next());
      byte[] fragment = encode(rows.next());
      boolean isDamaged = i % 50 == 0;
      if (isDamaged) {
        fragment = Arrays.copyOf(fragment, fragment.length - 1);
      }
      byte[] merged = NativeMerge.merge(new byte[][] {value, fragment});
      assertThat(merged == null).isEqualTo(isDamaged);
      int length = isDamaged ? 1_000 : merged.length;
      if (length < value.length) {
        continue;
      }
      made++;
      byte[] wanted = isDamaged ? null : merged;
      assertThat(mergeInPlace(calls, value, length, fragment)).isEqualTo(wanted);
      if (length > value.length) {
        assertThat(mergeInPlace(calls, value, length - 1, fragment)).isEqualTo(null);
      }
    }
    assertThat(made).isGreaterThan(5_000);
  }

  /** Null if nothing changed. */
  private static byte[] mergeInPlace(NativeCalls calls, byte[] value, int room, byte[] fragment) {
    int around = 40;
    long memory = MemoryUtil.allocate(around + room + around);
    try {
      byte[] before = new byte[around + room + around];
      Arrays.fill(before, (byte) 77);
      System.arraycopy(value, 0, before, around, value.length);
      ByteBuffer place = MemoryUtil.getByteBuffer(memory, before.length, ByteOrder.nativeOrder());
      place.duplicate().put(before);
      byte[] among = new byte[fragment.length + 9];
      System.arraycopy(fragment, 0, among, 5, fragment.length);
      int length = calls.merge(memory + around, value.length, room, among, 5, fragment.length);
      byte[] after = new byte[before.length];
      place.duplicate().get(after);
      if (length < 0) {
        assertThat(after).isEqualTo(before);
        return null;
      }
      assertThat(Arrays.copyOf(after, around)).isEqualTo(Arrays.copyOf(before, around));
      assertThat(Arrays.copyOfRange(after, around + room, after.length))
          .isEqualTo(Arrays.copyOfRange(before, around + room, before.length));
      return Arrays.copyOfRange(after, around, around + length);
    } finally {
      MemoryUtil.free(memory);
    }
  }

  private byte[] mergedInGroups(List<byte[]> values, Random random) {
    List<byte[]> left = new ArrayList<>(values);
    while (left.size() > 1) {
      int from = random.nextInt(left.size());
      List<byte[]> group = left.subList(from, from + 1 + random.nextInt(left.size() - from));
      byte[] merged =
          random.nextInt(4) == 0
              ? concatenated(group)
              : NativeMerge.merge(group.toArray(new byte[0][]));
      assertThat(merged).isNotNull();
      group.clear();
      left.add(from, merged);
    }
    return NativeMerge.merge(new byte[][] {left.get(0), new byte[0]});
  }

  private static byte[] concatenated(List<byte[]> values) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    values.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private byte[] encode(Row row) {
    return record(encoder.encode(columns, row, DeletionTime.LIVE, false, false));
  }

  private static byte[] record(ByteWriter fragment) {
    ByteWriter out = new ByteWriter();
    out.writeBytes(fragment);
    return out.toArray();
  }

  private Row decode(byte[] value) {
    byte[] key = Comparables.record(new byte[0], 0, RandomRows.TABLE.comparator, clustering());
    return decoder().row(key, 1, value);
  }

  private static Clustering<?> clustering() {
    return Clustering.make(ByteBufferUtil.bytes(7));
  }

  private RecordDecoder decoder() {
    ColumnView view = new ColumnView(RandomRows.TABLE, columns);
    return new RecordDecoder(RandomRows.TABLE.comparator, view, false, true);
  }
}
