/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables of the node that are not in RocksDB. */
class GuardedMemtableTest {
  @Test
  void should_write_stock_tables_when_another_configuration_is_being_opened() throws IOException {
    NodeSettings settings =
        TestNode.guarded(TestNode.newDirectory("stock"))
            .memtable("slow", SlowMemtable.class.getName(), Map.of());
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY)");
      TestNode.call(node, "writeWhileAnotherIsOpened k.t");
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }
}
