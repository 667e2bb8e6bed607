/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.schema.IndexMetadata;

/** A read by the index {@code t_index} of its table. */
final class ReadByIndex {
  private ReadByIndex() {}

  static SinglePartitionReadCommand of(SinglePartitionReadCommand all) {
    return SinglePartitionReadCommand.create(
        all.metadata(),
        0,
        all.columnFilter(),
        all.rowFilter(),
        all.limits(),
        all.partitionKey(),
        all.clusteringIndexFilter(),
        fake(Index.QueryPlan.class, Map.of("getIndexes", Set.of(index()))));
  }

  private static Index index() {
    IndexMetadata known =
        IndexMetadata.fromSchemaMetadata("t_index", IndexMetadata.Kind.CUSTOM, Map.of());
    return fake(Index.class, Map.of("getIndexMetadata", known, "isQueryable", true));
  }

  /** What each of its methods returns; null where that is not said. */
  private static <T> T fake(Class<T> type, Map<String, Object> results) {
    InvocationHandler returns =
        (self, method, arguments) ->
            switch (method.getName()) {
              case "hashCode" -> System.identityHashCode(self);
              case "equals" -> self == arguments[0];
              default -> results.get(method.getName());
            };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, returns));
  }
}
