/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.ArrayList;
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

  /** Null for an empty value of a type that is never empty otherwise. */
  static <V> ByteSource source(AbstractType<?> type, ValueAccessor<V> accessor, V value) {
    if (!hasTuple(type)) {
      return type.asComparableBytes(accessor, value, Comparables.VERSION);
    } else if (type.isReversed()) {
      return reversed(source(type.unwrap(), accessor, value));
    } else if (accessor.isEmpty(value)) {
      return null;
    }
    return new Components(components(type, accessor, value));
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

  private static ByteSource reversed(ByteSource source) {
    return source == null
        ? null
        : () -> {
          int next = source.next();
          return next == ByteSource.END_OF_STREAM ? next : next ^ 0xFF;
        };
  }

  private static <V> List<Component> components(
      AbstractType<?> type, ValueAccessor<V> accessor, V value) {
    List<Component> components = new ArrayList<>();
    if (type instanceof TupleType) {
      TupleType tuple = (TupleType) type;
      int last = 0;
      for (V part : tuple.split(accessor, value)) {
        components.add(Component.of(tuple.type(components.size()), accessor, part));
        last = part == null ? last : components.size();
      }
      // A tuple with and without nulls at its end is the same.
      return components.subList(0, last);
    } else if (type instanceof VectorType) {
      AbstractType<?> element = ((VectorType<?>) type).elementType;
      for (V part : ((VectorType<?>) type).split(value, accessor)) {
        components.add(Component.of(element, accessor, part));
      }
      return components;
    }
    int count = CollectionSerializer.readCollectionSize(value, accessor);
    int parts = type instanceof MapType ? 2 * count : count;
    int offset = CollectionSerializer.sizeOfCollectionSize();
    for (int i = 0; i < parts; i++) {
      V part = CollectionSerializer.readValue(value, accessor, offset);
      offset += CollectionSerializer.sizeOfValue(part, accessor);
      components.add(Component.of(partType(type, i), accessor, part));
    }
    return components;
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

  /** What a component starts with, and the rest of it, null if that is all. */
  private static final class Component {
    private final int sign;
    private final ByteSource rest;

    private Component(int sign, ByteSource rest) {
      this.sign = sign;
      this.rest = rest;
    }

    static <V> Component of(AbstractType<?> type, ValueAccessor<V> accessor, V value) {
      if (value == null) {
        return new Component(ByteSource.NEXT_COMPONENT_NULL, null);
      }
      ByteSource rest = source(type, accessor, value);
      int sign = rest == null ? ByteSource.NEXT_COMPONENT_EMPTY : ByteSource.NEXT_COMPONENT;
      return new Component(sign, rest);
    }
  }

  /** One component after the other, and an end that sorts before any component. */
  private static final class Components implements ByteSource {
    private final List<Component> components;
    private ByteSource rest;
    private int started;

    Components(List<Component> components) {
      this.components = components;
    }

    @Override
    public int next() {
      int next = rest == null ? END_OF_STREAM : rest.next();
      if (next != END_OF_STREAM) {
        return next;
      }
      rest = null;
      if (started >= components.size()) {
        return started++ == components.size() ? TERMINATOR : END_OF_STREAM;
      }
      Component component = components.get(started++);
      rest = component.rest;
      return component.sign;
    }
  }
}
