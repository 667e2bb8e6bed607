/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/**
 * A clustering, or a bound of clusterings, as {@link ClusteringComparator#asByteComparable} writes
 * it, but with the values of {@link ComparableTypes}.
 */
final class ClusteringSource<V> implements ByteSource {
  private final ClusteringComparator comparator;
  private final ClusteringPrefix<V> prefix;
  private ByteSource component;
  private int started;

  ClusteringSource(ClusteringComparator comparator, ClusteringPrefix<V> prefix) {
    this.comparator = comparator;
    this.prefix = prefix;
  }

  @Override
  public int next() {
    int next = component == null ? END_OF_STREAM : component.next();
    if (next != END_OF_STREAM) {
      return next;
    }
    component = null;
    if (started >= prefix.size()) {
      return started++ == prefix.size()
          ? prefix.kind().asByteComparableValue(Comparables.VERSION)
          : END_OF_STREAM;
    }
    AbstractType<?> type = comparator.subtype(started);
    V value = prefix.get(started++);
    if (value == null) {
      return NEXT_COMPONENT_NULL;
    }
    component = ComparableTypes.source(type, prefix.accessor(), value);
    if (component != null) {
      return NEXT_COMPONENT;
    }
    return type.isReversed() ? NEXT_COMPONENT_EMPTY_REVERSED : NEXT_COMPONENT_EMPTY;
  }
}
