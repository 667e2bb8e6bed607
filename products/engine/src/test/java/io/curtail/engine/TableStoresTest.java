/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.operation.TableStores;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.lang.reflect.Proxy;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;

/** Which rows of a table a new memtable of it takes over. */
class TableStoresTest {
  private final EmbeddedNode node = TestNode.start();

  /** Queries read them by the memtable whose flush failed; who took them would free them. */
  @Test
  void should_leave_rows_alone_whose_memtable_could_not_be_flushed() {
    node.cql("CREATE TABLE twin.unflushed (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.unflushed (k) VALUES (1)");
    TableStores stores = Engine.running().stores;
    TableStore unflushed = TestNode.store(node.store("twin", "unflushed"));
    TableMetadata metadata = node.store("twin", "unflushed").metadata();
    try {
      TableStore next = stores.open(metadata);
      assertThat(next.generation).isEqualTo(unflushed.generation + 1);
      stores.forget(memtableOf(next));
      assertThat(stores.hasUnopened(metadata)).isFalse();

      TableStore afterwards = stores.open(metadata);
      assertThat(afterwards.generation).isGreaterThan(unflushed.generation);
      assertThat(Engine.running().database.generations.live(FamilyName.table(metadata)))
          .containsExactly(unflushed.name());
      assertThat(node.cql("SELECT k FROM twin.unflushed")).hasSize(1);
      stores.forget(memtableOf(afterwards));
    } finally {
      node.cql("DROP TABLE twin.unflushed");
    }
  }

  private static StoredTable memtableOf(TableStore store) {
    return (StoredTable)
        Proxy.newProxyInstance(
            StoredTable.class.getClassLoader(),
            new Class<?>[] {StoredTable.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "store":
                  return store;
                case "equals":
                  return proxy == arguments[0];
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
