/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;

import io.curtail.engine.operation.Absorber;
import io.curtail.engine.operation.MoveOut;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.operation.TableStores;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What works in the background for as long as the node is up, on tables that come and go. */
class BackgroundThreadsTest {
  /** How often something has failed. */
  private final AtomicInteger failures = new AtomicInteger();

  private TableStores stores;

  /** A table that was dropped meanwhile, with its keyspace. */
  @BeforeEach
  void addDropped() {
    EmbeddedNode node = TestNode.start();
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.background (k int PRIMARY KEY) WITH memtable ="
            + " 'rocksdb'");
    TableStore store = TestNode.memtable(node.store("twin", "background")).store();
    Engine engine = Engine.running();
    stores = new TableStores(engine.database, engine.temporaryFiles);
    stores.setMemtable(
        (StoredTable)
            Proxy.newProxyInstance(
                StoredTable.class.getClassLoader(),
                new Class<?>[] {StoredTable.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("name")) {
                    return "twin.dropped";
                  }
                  if (method.getName().equals("store")) {
                    return store;
                  }
                  failures.incrementAndGet();
                  throw new AssertionError("Unknown keyspace");
                }));
  }

  @Test
  void should_try_again_to_absorb_when_a_table_is_dropped_meanwhile() {
    try (Absorber absorber = new Absorber(stores, Engine.running().tasks)) {
      absorber.start();
      await(() -> failures.get() > 1);
    }
  }

  @Test
  void should_try_again_to_move_out_when_a_table_is_dropped_meanwhile() {
    try (MoveOut moveOut = new MoveOut(stores, Engine.running().tasks, 0)) {
      moveOut.start();
      await(() -> failures.get() > 1);
    }
  }
}
