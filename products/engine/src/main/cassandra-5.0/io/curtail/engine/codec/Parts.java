/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.ValueAccessor;
import org.apache.cassandra.db.marshal.VectorType;

/** What a value is made of, as Cassandra 5.0 takes it apart. */
final class Parts {
  private Parts() {}

  /** Null where a part is; those after the last one that was written may be missing. */
  static <V> List<V> of(TupleType type, ValueAccessor<V> accessor, V value) {
    return Arrays.asList(type.split(accessor, value));
  }

  static <V> List<V> of(VectorType<?> type, ValueAccessor<V> accessor, V value) {
    return type.split(value, accessor);
  }
}
