/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys sort as Cassandra sorts, and give back what went in. */
class KeysTest {
  private static final int VALUES = 150;
  private static final byte[] NOTHING = {};
  private static final TupleType TUPLE =
      new TupleType(List.of(IntegerType.instance, DecimalType.instance));

  @BeforeAll
  static void startNode() {
    TestNode.start();
  }

  @Test
  void should_sort_and_return_partition_keys_when_they_hold_any_bytes() {
    Random random = new Random(3);
    PartitionKeys keys = PartitionKeys.of(Murmur3Partitioner.instance);
    List<DecoratedKey> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] bytes = new byte[1 + random.nextInt(6)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = new byte[] {0, 1, -1, (byte) 0xFE, 'a'}[random.nextInt(5)];
      }
      all.add(Murmur3Partitioner.instance.decorateKey(ByteBuffer.wrap(bytes)));
    }
    for (DecoratedKey key : all) {
      byte[] encoded = keys.encode(key);
      byte[] record = Arrays.copyOf(Keys.record(encoded, Keys.ROW), encoded.length + 4);
      assertThat(keys.length(record)).isEqualTo(encoded.length);
      assertThat(keys.decode(record, encoded.length)).isEqualTo(key);
      for (DecoratedKey other : all) {
        assertThat(sign(Arrays.compareUnsigned(encoded, keys.encode(other))))
            .isEqualTo(sign(key.compareTo(other)));
      }
      PartitionPosition before = key.getToken().minKeyBound();
      PartitionPosition after = key.getToken().maxKeyBound();
      assertThat(Arrays.compareUnsigned(keys.bound(before, true), encoded)).isNegative();
      assertThat(Arrays.compareUnsigned(keys.bound(after, false), record)).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void should_sort_rows_and_bounds_when_the_clustering_is_of(AbstractType<?> type) {
    for (AbstractType<?> ordered : List.of(type, ReversedType.getInstance(type))) {
      ClusteringComparator comparator = new ClusteringComparator(ordered, Int32Type.instance);
      List<ClusteringPrefix<?>> prefixes = prefixes(type, new Random(11));
      List<byte[]> encoded = new ArrayList<>();
      prefixes.forEach(
          prefix -> encoded.add(Comparables.record(NOTHING, Keys.ROW, comparator, prefix)));
      for (int i = 0; i < prefixes.size(); i++) {
        for (int j = 0; j < prefixes.size(); j++) {
          assertThat(sign(Arrays.compareUnsigned(encoded.get(i), encoded.get(j))))
              .as("%s %s", prefixes.get(i), prefixes.get(j))
              .isEqualTo(sign(comparator.compare(prefixes.get(i), prefixes.get(j))));
        }
        boolean exact = ExactTypes.all(List.of(ordered, Int32Type.instance));
        if (exact && prefixes.get(i).kind() == ClusteringPrefix.Kind.CLUSTERING) {
          byte[] bytes = encoded.get(i);
          ByteComparable comparable = version -> ByteSource.fixedLength(bytes, 1, bytes.length - 1);
          assertThat(
                  comparator.clusteringFromByteComparable(ByteBufferAccessor.instance, comparable))
              .isEqualTo(prefixes.get(i));
        }
      }
    }
  }

  private static List<ClusteringPrefix<?>> prefixes(AbstractType<?> type, Random random) {
    List<ClusteringPrefix<?>> prefixes =
        new ArrayList<>(List.of(ClusteringBound.BOTTOM, ClusteringBound.TOP));
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < VALUES; i++) {
      ByteBuffer first = values.of(type);
      ByteBuffer second = values.of(Int32Type.instance);
      switch (random.nextInt(4)) {
        case 0:
          prefixes.add(bound(random, first));
          break;
        case 1:
          prefixes.add(bound(random, first, second));
          break;
        default:
          prefixes.add(Clustering.make(first, second));
      }
    }
    return prefixes;
  }

  private static ClusteringBound<?> bound(Random random, ByteBuffer... components) {
    return ByteBufferAccessor.instance
        .factory()
        .bound(ClusteringBound.boundKind(random.nextBoolean(), random.nextBoolean()), components);
  }

  private static int sign(int order) {
    return Integer.signum(order);
  }

  static Stream<AbstractType<?>> types() {
    return Stream.of(
        AsciiType.instance,
        BooleanType.instance,
        ByteType.instance,
        BytesType.instance,
        DecimalType.instance,
        DoubleType.instance,
        FloatType.instance,
        InetAddressType.instance,
        Int32Type.instance,
        IntegerType.instance,
        LongType.instance,
        ShortType.instance,
        SimpleDateType.instance,
        TimeType.instance,
        TimeUUIDType.instance,
        TimestampType.instance,
        UTF8Type.instance,
        UUIDType.instance,
        ListType.getInstance(UTF8Type.instance, false),
        SetType.getInstance(DecimalType.instance, false),
        MapType.getInstance(Int32Type.instance, UTF8Type.instance, false),
        new TupleType(List.of(Int32Type.instance, UTF8Type.instance)),
        VectorType.getInstance(FloatType.instance, 3),
        TUPLE,
        new TupleType(List.of(TUPLE, TUPLE)),
        ListType.getInstance(TUPLE, false),
        SetType.getInstance(TUPLE, false),
        MapType.getInstance(TUPLE, TUPLE, false),
        VectorType.getInstance(TUPLE, 2));
  }
}
