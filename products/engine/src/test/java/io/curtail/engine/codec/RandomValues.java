/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
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
import org.apache.cassandra.serializers.CollectionSerializer;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.TimeUUID;

/** Values of any CQL type, with the awkward ones more often than chance gives them. */
final class RandomValues {
  private static final long[] EDGES = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 255, 256, -256};

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  ByteBuffer of(AbstractType<?> type) {
    if (type == UTF8Type.instance || type == AsciiType.instance) {
      return ByteBufferUtil.bytes(text());
    } else if (type == BytesType.instance) {
      byte[] bytes = new byte[random.nextInt(4)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = new byte[] {0, -1, -2, 1}[random.nextInt(4)];
      }
      return ByteBuffer.wrap(bytes);
    } else if (type == DecimalType.instance) {
      BigDecimal value = new BigDecimal(BigInteger.valueOf(number() / 1000), random.nextInt(9) - 4);
      return DecimalType.instance.decompose(
          random.nextBoolean() ? value : new BigDecimal(random.nextInt(3)).setScale(2));
    } else if (type == InetAddressType.instance) {
      return address();
    } else if (type == TimeUUIDType.instance) {
      return TimeUUID.Generator.nextTimeUUID().toBytes();
    } else if (type == UUIDType.instance) {
      return UUIDType.instance.decompose(
          random.nextBoolean()
              ? new UUID(number(), number())
              : TimeUUID.Generator.nextTimeUUID().asUUID());
    } else if (type instanceof VectorType) {
      return ((VectorType<?>) type)
          .decomposeRaw(
              items(((VectorType<?>) type).elementType, ((VectorType<?>) type).dimension));
    } else if (type instanceof TupleType) {
      List<ByteBuffer> items = new ArrayList<>();
      ((TupleType) type).allTypes().forEach(item -> items.add(part(item)));
      return TupleType.buildValue(items.toArray(new ByteBuffer[0]));
    }
    return ofNumber(type);
  }

  /** Of a tuple: may be null, or empty where that is not a value of its own. */
  private ByteBuffer part(AbstractType<?> type) {
    boolean mayBeEmpty = type == IntegerType.instance || type == DecimalType.instance;
    switch (random.nextInt(5)) {
      case 0:
        return null;
      case 1:
        return mayBeEmpty ? ByteBufferUtil.EMPTY_BYTE_BUFFER : of(type);
      default:
        return of(type);
    }
  }

  private ByteBuffer ofNumber(AbstractType<?> type) {
    long number = number();
    if (type == Int32Type.instance) {
      return ByteBufferUtil.bytes((int) number);
    } else if (type == LongType.instance || type == TimestampType.instance) {
      return ByteBufferUtil.bytes(number);
    } else if (type == ShortType.instance) {
      return ShortType.instance.decompose((short) number);
    } else if (type == ByteType.instance) {
      return ByteType.instance.decompose((byte) number);
    } else if (type == BooleanType.instance) {
      return BooleanType.instance.decompose((number & 1) == 0);
    } else if (type == DoubleType.instance) {
      double value = Double.longBitsToDouble(number);
      return DoubleType.instance.decompose(Double.isNaN(value) ? Double.NaN : value);
    } else if (type == FloatType.instance) {
      float value = Float.intBitsToFloat((int) number);
      return FloatType.instance.decompose(Float.isNaN(value) ? Float.NaN : value);
    } else if (type == IntegerType.instance) {
      BigInteger value = BigInteger.valueOf(number);
      return IntegerType.instance.decompose(random.nextBoolean() ? value : value.pow(5));
    } else if (type == SimpleDateType.instance) {
      return SimpleDateType.instance.decompose((int) number);
    } else if (type == TimeType.instance) {
      return TimeType.instance.decompose(Math.floorMod(number, 86_400_000_000_000L));
    }
    return ofCollection(type);
  }

  private ByteBuffer ofCollection(AbstractType<?> type) {
    if (type instanceof ListType) {
      return pack(items(((ListType<?>) type).getElementsType(), random.nextInt(3)), 1);
    } else if (type instanceof SetType) {
      AbstractType<?> element = ((SetType<?>) type).getElementsType();
      Set<ByteBuffer> values = new TreeSet<>(element);
      values.addAll(items(element, random.nextInt(3)));
      return pack(values, 1);
    } else if (type instanceof MapType) {
      MapType<?, ?> map = (MapType<?, ?>) type;
      List<ByteBuffer> pairs = new ArrayList<>();
      if (random.nextInt(4) > 0) {
        pairs.addAll(List.of(of(map.getKeysType()), of(map.getValuesType())));
      }
      return pack(pairs, 2);
    }
    throw new IllegalArgumentException("no values of " + type);
  }

  private static ByteBuffer pack(Collection<ByteBuffer> values, int parts) {
    return CollectionSerializer.pack(values, values.size() / parts);
  }

  private List<ByteBuffer> items(AbstractType<?> type, int count) {
    List<ByteBuffer> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(of(type));
    }
    return items;
  }

  private ByteBuffer address() {
    byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
    random.nextBytes(bytes);
    try {
      return InetAddressType.instance.decompose(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private String text() {
    return List.of("", "a", "\0", "a\0", "ab", "b", "\u007f").get(random.nextInt(7))
        + (random.nextBoolean() ? "" : Integer.toString(random.nextInt(9)));
  }

  private long number() {
    return random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextLong();
  }
}
