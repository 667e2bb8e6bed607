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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
    MergeLibrary.load(Path.of(Engine.running().database.directory, "native"));
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
