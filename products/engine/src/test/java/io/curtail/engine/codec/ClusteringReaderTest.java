/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import io.curtail.engine.TestNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clusterings are read as Cassandra reads them, or left to it. */
class ClusteringReaderTest {
  private static final int TABLES = 300;
  private static final int ROWS = 40;

  private static final List<AbstractType<?>> USUAL =
      List.of(
          AsciiType.instance,
          BytesType.instance,
          Int32Type.instance,
          LongType.instance,
          SimpleDateType.instance,
          TimestampType.instance,
          TimeUUIDType.instance,
          UTF8Type.instance,
          UUIDType.instance);

  private static final Set<AbstractType<?>> TEXTS =
      Set.of(AsciiType.instance, BytesType.instance, UTF8Type.instance);

  private final Random random = new Random(17);
  private final RandomValues values = new RandomValues(random);

  @BeforeAll
  static void startNode() {
    TestNode.start();
  }

  @Test
  void should_read_what_was_written_when_types_and_values_are_usual() {
    for (int table = 0; table < TABLES; table++) {
      ClusteringComparator comparator = new ClusteringComparator(types());
      ClusteringReader reader = new ClusteringReader(comparator);
      for (int row = 0; row < ROWS; row++) {
        Clustering<?> written = clustering(comparator, false);
        byte[] key = key(comparator, written);
        Clustering<?> read = reader.read(key, 3, key.length - 2);
        if (read == null) {
          assertThat(hasZeroInText(comparator, written)).as("%s", written).isTrue();
        } else {
          assertThat(read).isEqualTo(written).isEqualTo(byCassandra(comparator, key));
        }
      }
    }
  }

  @Test
  void should_leave_nulls_and_empty_values_and_other_types_to_cassandra() {
    for (int table = 0; table < TABLES; table++) {
      List<AbstractType<?>> types = new ArrayList<>(types());
      if (random.nextInt(4) == 0) {
        types.set(random.nextInt(types.size()), DoubleType.instance);
      }
      ClusteringComparator comparator = new ClusteringComparator(types);
      ClusteringReader reader = new ClusteringReader(comparator);
      for (int row = 0; row < ROWS; row++) {
        Clustering<?> written = clustering(comparator, true);
        byte[] key = key(comparator, written);
        Clustering<?> read = reader.read(key, 3, key.length - 2);
        if (read != null) {
          assertThat(read).isEqualTo(written).isEqualTo(byCassandra(comparator, key));
        }
      }
    }
  }

  @Test
  void should_read_no_more_than_cassandra_when_keys_are_damaged() {
    int readAll = 0;
    for (int table = 0; table < TABLES; table++) {
      ClusteringComparator comparator = new ClusteringComparator(types());
      ClusteringReader reader = new ClusteringReader(comparator);
      for (int row = 0; row < ROWS; row++) {
        byte[] key = key(comparator, clustering(comparator, false));
        int end = random.nextBoolean() ? key.length - 2 : 3 + random.nextInt(key.length - 4);
        key[3 + random.nextInt(key.length - 5)] = (byte) random.nextInt();
        Clustering<?> read = reader.read(key, 3, end);
        if (read != null) {
          readAll++;
          assertThat(read).isEqualTo(byCassandra(comparator, key, end));
        }
      }
    }
    assertThat(readAll).isPositive();
  }

  private List<AbstractType<?>> types() {
    List<AbstractType<?>> types = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      AbstractType<?> type = USUAL.get(random.nextInt(USUAL.size()));
      types.add(random.nextBoolean() ? ReversedType.getInstance(type) : type);
    }
    return types;
  }

  private Clustering<?> clustering(ClusteringComparator comparator, boolean unusual) {
    return Clustering.make(
        comparator.subtypes().stream()
            .map(type -> unusual && random.nextInt(4) == 0 ? nothing() : value(type.unwrap()))
            .toArray(ByteBuffer[]::new));
  }

  private ByteBuffer nothing() {
    return random.nextBoolean() ? null : ByteBufferUtil.EMPTY_BYTE_BUFFER;
  }

  /** Numbers of all lengths, which those of all bits are not. */
  private ByteBuffer value(AbstractType<?> type) {
    return type == LongType.instance && random.nextBoolean()
        ? ByteBufferUtil.bytes(random.nextLong() >> random.nextInt(Long.SIZE))
        : values.of(type);
  }

  /** Among other bytes, as in a record. */
  private static byte[] key(ClusteringComparator comparator, Clustering<?> clustering) {
    byte[] key = Comparables.record(new byte[2], Keys.ROW, comparator, clustering);
    return Arrays.copyOf(key, key.length + 2);
  }

  private static Clustering<?> byCassandra(ClusteringComparator comparator, byte[] key) {
    return byCassandra(comparator, key, key.length - 2);
  }

  private static Clustering<?> byCassandra(ClusteringComparator comparator, byte[] key, int end) {
    ByteComparable comparable = version -> ByteSource.fixedLength(key, 3, end - 3);
    return comparator.clusteringFromByteComparable(ByteBufferAccessor.instance, comparable);
  }

  private static boolean hasZeroInText(ClusteringComparator comparator, Clustering<?> clustering) {
    for (int i = 0; i < comparator.size(); i++) {
      if (TEXTS.contains(comparator.subtype(i).unwrap())
          && Bytes.contains(ByteBufferUtil.getArray(clustering.bufferAt(i)), (byte) 0)) {
        return true;
      }
    }
    return false;
  }
}
