/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.TimeUUID;

/** How far long work is, as {@code nodetool compactionstats} shows it. Thread-safe. */
final class CompactionProgress {
  /** The ring in parts, none of which counts for much in Cassandra's sum of bytes compacted. */
  static final long PARTS = 1_000;

  /** Has one argument more, bytes compressed, since Cassandra 5.0.9. */
  private static final Method WITHOUT_FILES =
      Arrays.stream(CompactionInfo.class.getMethods())
          .filter(method -> method.getName().equals("withoutSSTables"))
          .filter(
              method ->
                  method.getParameterTypes()[method.getParameterCount() - 1] == TimeUUID.class)
          .findFirst()
          .orElseThrow();

  private CompactionProgress() {}

  /** How many of the ring's {@link #PARTS} are before a token. */
  static long partsBefore(Token token) {
    double share = (token.getLongValue() / 2.0 - Long.MIN_VALUE / 2.0) / Long.MAX_VALUE;
    return (long) (share * PARTS);
  }

  /** Of work on a table of which no data file is part. */
  static CompactionInfo of(
      TableMetadata table,
      OperationType type,
      long part,
      long whole,
      CompactionInfo.Unit unit,
      TimeUUID id) {
    try {
      return (CompactionInfo)
          (WITHOUT_FILES.getParameterCount() == 7
              ? WITHOUT_FILES.invoke(null, table, type, part, whole, 0L, unit, id)
              : WITHOUT_FILES.invoke(null, table, type, part, whole, unit, id));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of work that goes round the ring. */
  static CompactionInfo of(TableMetadata table, OperationType type, long parts, TimeUUID id) {
    return of(table, type, parts, PARTS, CompactionInfo.Unit.RANGES, id);
  }
}
