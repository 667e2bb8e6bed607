/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.util.List;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.ValueAccessor;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.serializers.CollectionSerializer;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/**
 * Values as bytes that sort, and are equal, as Cassandra compares the values.
 *
 * <p>Cassandra's own byte-comparable form is that, but for tuples: there a null and an empty value
 * of a type that is never empty otherwise, such as {@code blob_as_varint(0x)}, are the same bytes,
 * while they compare as different, null first. Two rows would be one. So tuples are written here,
 * as Cassandra writes them but with the sign for an empty component that it has for clusterings.
 */
final class ComparableTypes {
  private ComparableTypes() {}

  /** A sign that says whether the value is null or empty, and the value if it is neither. */
  static <V> void writeComponent(
      ByteWriter out, AbstractType<?> type, ValueAccessor<V> accessor, V value) {
    if (value == null) {
      out.write(ByteSource.NEXT_COMPONENT_NULL);
      return;
    }
    int sign = out.size();
    out.write(ByteSource.NEXT_COMPONENT);
    if (!write(out, type, accessor, value)) {
      out.set(
          sign,
          type.isReversed()
              ? ByteSource.NEXT_COMPONENT_EMPTY_REVERSED
              : ByteSource.NEXT_COMPONENT_EMPTY);
    }
  }

  /** False for an empty value of a type that is never empty otherwise; it has no bytes. */
  private static <V> boolean write(
      ByteWriter out, AbstractType<?> type, ValueAccessor<V> accessor, V value) {
    if (!hasTuple(type)) {
      ByteSource source = type.asComparableBytes(accessor, value, Comparables.VERSION);
      if (source != null) {
        out.write(source);
      }
      return source != null;
    } else if (type.isReversed()) {
      int start = out.size();
      boolean written = write(out, type.unwrap(), accessor, value);
      out.invertFrom(start);
      return written;
    } else if (accessor.isEmpty(value)) {
      return false;
    }
    writeParts(out, type, accessor, value);
    // Sorts before any further part.
    out.write(ByteSource.TERMINATOR);
    return true;
  }

  private static boolean hasTuple(AbstractType<?> type) {
    if (type.isReversed()) {
      return hasTuple(type.unwrap());
    } else if (type instanceof TupleType) {
      return true;
    }
    List<AbstractType<?>> parts = type.subTypes();
    for (int i = 0; i < parts.size(); i++) {
      if (hasTuple(parts.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static <V> void writeParts(
      ByteWriter out, AbstractType<?> type, ValueAccessor<V> accessor, V value) {
    if (type instanceof TupleType) {
      writeTuple(out, (TupleType) type, accessor, Parts.of((TupleType) type, accessor, value));
    } else if (type instanceof VectorType) {
      AbstractType<?> element = ((VectorType<?>) type).elementType;
      for (V part : Parts.of((VectorType<?>) type, accessor, value)) {
        writeComponent(out, element, accessor, part);
      }
    } else {
      int count = CollectionSerializer.readCollectionSize(value, accessor);
      int parts = type instanceof MapType ? 2 * count : count;
      int offset = CollectionSerializer.sizeOfCollectionSize();
      for (int i = 0; i < parts; i++) {
        V part = CollectionSerializer.readValue(value, accessor, offset);
        offset += CollectionSerializer.sizeOfValue(part, accessor);
        writeComponent(out, partType(type, i), accessor, part);
      }
    }
  }

  private static <V> void writeTuple(
      ByteWriter out, TupleType tuple, ValueAccessor<V> accessor, List<V> parts) {
    // A tuple with and without nulls at its end is the same.
    int last = parts.size();
    while (last > 0 && parts.get(last - 1) == null) {
      last--;
    }
    for (int i = 0; i < last; i++) {
      writeComponent(out, tuple.type(i), accessor, parts.get(i));
    }
  }

  private static AbstractType<?> partType(AbstractType<?> type, int part) {
    if (type instanceof MapType) {
      MapType<?, ?> map = (MapType<?, ?>) type;
      return part % 2 == 0 ? map.getKeysType() : map.getValuesType();
    } else if (type instanceof SetType) {
      return ((SetType<?>) type).getElementsType();
    } else if (type instanceof ListType) {
      return ((ListType<?>) type).getElementsType();
    }
    throw new IllegalArgumentException("rocksdb memtable: no order of bytes is known for " + type);
  }
}
