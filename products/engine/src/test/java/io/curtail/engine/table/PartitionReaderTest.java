/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** A read that fails on its way. */
class PartitionReaderTest {
  @Test
  void should_hold_nothing_of_rocksdb_when_the_first_rows_cannot_be_read() throws Exception {
    EmbeddedNode node = TestNode.start();
    node.cql(
        "CREATE TABLE twin.unread (k int, c int, v int, PRIMARY KEY (k, c))"
            + " WITH memtable = 'rocksdb'");
    ColumnFamilyStore table = node.store("twin", "unread");
    TableStore store = TestNode.store(table);
    TableMetadata metadata = table.metadata();
    node.cql("INSERT INTO twin.unread (k, c, v) VALUES (1, 1, 1)");
    // The table has one clustering column.
    ByteBuffer any = ByteBufferUtil.bytes(0);
    ClusteringBound<?> from =
        ByteBufferAccessor.instance
            .factory()
            .bound(ClusteringPrefix.Kind.INCL_START_BOUND, new ByteBuffer[] {any, any});
    Slices slices = Slices.with(metadata.comparator, Slice.make(from, ClusteringBound.TOP));
    PartitionReader reader = new PartitionReader(store, metadata, ColumnFilter.all(metadata));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () -> reader.read(table.decorateKey(ByteBufferUtil.bytes(1)), slices, false))
          .isInstanceOf(IndexOutOfBoundsException.class);
      node.cql("INSERT INTO twin.unread (k, c, v) VALUES (1, 1, 1)");
      flush(store);
    }
    assertThat(store.property("rocksdb.num-live-versions")).isEqualTo(1);
  }

  private static void flush(TableStore store) throws RocksDBException {
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      store.database.rocksdb.flush(waiting, store.family());
    }
  }
}
