/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;

/**
 * One range tombstone as one record, under the comparable form of its end bound.
 *
 * <pre>value = timestamp:8 localDeletionTime:unsigned bound bound
 * bound = flags:1 components:unsigned (present:1 [bytes])*</pre>
 *
 * <p>Stateless and thread-safe.
 */
public final class RangeRecord {
  private static final int START = 0x01;
  private static final int INCLUSIVE = 0x02;

  private RangeRecord() {}

  /** The key of a range in a partition. */
  public static byte[] key(
      ClusteringComparator comparator, byte[] partition, RangeTombstone range) {
    return Comparables.record(partition, Keys.RANGE, comparator, range.deletedSlice().end());
  }

  /** The value, which has all of the range. */
  public static byte[] encode(RangeTombstone range) {
    ByteWriter out = new ByteWriter();
    out.writeLong(range.deletionTime().markedForDeleteAt());
    out.writeUnsigned(range.deletionTime().localDeletionTime());
    bound(out, range.deletedSlice().start());
    bound(out, range.deletedSlice().end());
    return out.toArray();
  }

  private static void bound(ByteWriter out, ClusteringBound<?> bound) {
    out.write((bound.isStart() ? START : 0) | (bound.isInclusive() ? INCLUSIVE : 0));
    out.writeUnsigned(bound.size());
    for (int i = 0; i < bound.size(); i++) {
      ByteBuffer component = bound.bufferAt(i);
      out.write(component == null ? 0 : 1);
      if (component != null) {
        out.writeBytes(component);
      }
    }
  }

  /**
   * The range of a value.
   *
   * @throws DamagedRecordException if the value is damaged
   */
  public static RangeTombstone decode(byte[] value) {
    ByteReader in = new ByteReader(value);
    DeletionTime time = DeletionTime.build(in.readLong(), in.readUnsigned());
    ClusteringBound<?> start = bound(in);
    return new RangeTombstone(Slice.make(start, bound(in)), time);
  }

  private static ClusteringBound<?> bound(ByteReader in) {
    int flags = in.read();
    ClusteringPrefix.Kind kind =
        ClusteringBound.boundKind((flags & START) != 0, (flags & INCLUSIVE) != 0);
    ByteBuffer[] components = new ByteBuffer[in.readLength()];
    for (int i = 0; i < components.length; i++) {
      components[i] = in.read() == 0 ? null : in.readBytes();
    }
    return ByteBufferAccessor.instance.factory().bound(kind, components);
  }
}
