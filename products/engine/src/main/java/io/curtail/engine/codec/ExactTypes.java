/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.marshal.UserType;

/**
 * The types of which two values that compare as equal are the same bytes, so that the comparable
 * form gives the value back. Others (decimal 1.0 and 1.00, a tuple with and without a last null)
 * are kept as they were written.
 */
public final class ExactTypes {
  private static final Set<AbstractType<?>> EXACT =
      Set.of(
          AsciiType.instance,
          ByteType.instance,
          BytesType.instance,
          DoubleType.instance,
          FloatType.instance,
          InetAddressType.instance,
          Int32Type.instance,
          LongType.instance,
          ShortType.instance,
          SimpleDateType.instance,
          TimeType.instance,
          TimeUUIDType.instance,
          TimestampType.instance,
          UTF8Type.instance,
          UUIDType.instance);

  private ExactTypes() {}

  /** Whether the cell paths of a multi-cell column are exact. */
  static boolean ofPath(AbstractType<?> type) {
    if (type instanceof CollectionType) {
      return EXACT.contains(((CollectionType<?>) type).nameComparator().unwrap());
    }
    return type instanceof UserType;
  }

  /** Whether all of some types are exact, reversed or not. */
  public static boolean all(List<AbstractType<?>> types) {
    return types.stream().allMatch(type -> EXACT.contains(type.unwrap()));
  }
}
