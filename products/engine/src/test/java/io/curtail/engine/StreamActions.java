/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.log.WriteAheadLog;
import io.curtail.engine.store.Database;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.utils.concurrent.OpOrder;

/** What a test does in a node in a child process as Cassandra does that receives a stream. */
public final class StreamActions {
  private StreamActions() {}

  /**
   * Writes rows, of which a mebibyte is written at a time, while the log cannot be synced. Returns
   * when all can be read, and then their writer has not been answered before a sync.
   */
  public static void writeRowsBeforeOneSync(String keyspace, String table, String count)
      throws Exception {
    ColumnFamilyStore written = Keyspace.open(keyspace).getColumnFamilyStore(table);
    int rows = Integer.parseInt(count);
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(written.metadata(), 1);
    for (int c = 0; c < rows; c++) {
      update.row(c).add("v", ByteBuffer.allocate(60_000));
    }
    FutureTask<Long> writing =
        new FutureTask<>(
            () -> {
              try (OpOrder.Group group = Keyspace.writeOrder.start()) {
                return TestNode.memtable(written)
                    .put(update.build(), UpdateTransaction.NO_OP, group);
              }
            });
    synchronized (whatSyncsHold()) {
      new Thread(writing, "StreamReceiveTask:1").start();
      await(() -> TestNode.records(TestNode.store(written)) == rows);
      assertThat(writing.isDone()).isFalse();
    }
    writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static Object whatSyncsHold() throws ReflectiveOperationException {
    Field log = Database.class.getDeclaredField("log");
    Field syncing = WriteAheadLog.class.getDeclaredField("syncing");
    log.setAccessible(true);
    syncing.setAccessible(true);
    return syncing.get(log.get(Engine.running().database));
  }
}
