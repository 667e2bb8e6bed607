/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

/**
 * The value of a HEADER or ROW record: one or more fragments, reconciled in any order and grouping.
 *
 * <pre>
 * value    = fragment+
 * fragment = length:unsigned body
 * body     = flags:1 base:8 [liveness] [row deletion] [partition deletion] [clustering] column*
 * liveness = timestamp [ttl:unsigned expiration:unsigned]
 * deletion = timestamp localDeletionTime:unsigned
 * column   = (id * 2 + complex):unsigned (cell | complex)
 * clustering = length:unsigned (present:1 [bytes])*
 * complex  = deleted:1 [deletion] cells:unsigned (path:bytes cell)*
 * cell     = flags:1 [timestamp] [ttl:unsigned] [localDeletionTime:unsigned] [value:bytes]
 * timestamp = distance from base, signed;  bytes = length:unsigned and that many bytes
 * </pre>
 *
 * <p>Timestamps are microseconds, deletion times seconds since 1970 in as many bytes as they need.
 * Column ids are those of {@link ColumnDictionary}. Writers emit columns and cells in Cassandra's
 * order; a merge in native code emits columns by id and cells by the bytes of their path, so
 * readers sort where they must.
 */
final class Fragments {
  static final int LIVENESS = 0x01;
  static final int EXPIRING_LIVENESS = 0x02;
  static final int ROW_DELETION = 0x04;
  static final int SHADOWABLE = 0x08;
  static final int PARTITION_DELETION = 0x10;

  /** The partition has, or had, range tombstones. */
  static final int RANGES = 0x20;

  /** The clustering follows as written, for types whose comparable form does not keep it. */
  static final int CLUSTERING = 0x40;

  /** Values that could not be merged follow, each with its length: no reader may answer. */
  static final int DAMAGED = 0x80;

  static final int CELL_EXPIRES = 0x01;
  static final int CELL_DELETED = 0x02;
  static final int CELL_TIMESTAMP = 0x04;
  static final int CELL_VALUE = 0x08;

  private Fragments() {}
}
