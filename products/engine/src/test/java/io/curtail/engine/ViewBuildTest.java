/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.die;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.curtail.engine.operation.ViewBuild;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.view.ViewBuilderTask;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;

/** Views that are built from rows in RocksDB, where they stay. */
class ViewBuildTest {
  private static final int ROWS = 300;
  private static final Set<Thread.State> WAITING =
      Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_begin_anew_when_the_schema_is_changed_before_it_is_built() throws Exception {
    ColumnFamilyStore table = create("altered");
    try (Held held = new Held("altered")) {
      createView("altered");
      change(held, "ALTER TABLE twin.altered WITH comment = 'changed'");
    }
    await(() -> SystemKeyspace.isViewBuilt("twin", "altered_view"));
    assertThat(node.rows("SELECT k FROM twin.altered_view WHERE v = 1")).hasSize(ROWS);
    assertThat(table.getLiveSSTables()).isEmpty();
  }

  @Test
  void should_give_way_when_the_view_is_dropped_or_the_table_is_emptied() throws Exception {
    create("shrunk");
    try (Held held = new Held("shrunk")) {
      createView("shrunk");
      change(held, "DROP MATERIALIZED VIEW twin.shrunk_view");
    }
    try (Held held = new Held("shrunk")) {
      createView("shrunk");
      change(held, "TRUNCATE twin.shrunk");
    }
    await(() -> SystemKeyspace.isViewBuilt("twin", "shrunk_view"));
    assertThat(node.rows("SELECT k FROM twin.shrunk_view")).isEmpty();
  }

  @Test
  void should_not_be_called_built_when_it_was_stopped() throws Exception {
    ColumnFamilyStore table = create("stopped");
    OpOrder.Group unfinished = Keyspace.writeOrder.start(); // which the build waits for
    try {
      createView("stopped");
      await(
          () ->
              CompactionManager.instance.active.getCompactions().stream()
                  .anyMatch(ViewBuild.class::isInstance));
      CompactionManager.instance.stopCompaction("VIEW_BUILD");
    } finally {
      unfinished.close();
    }
    afterAllBuilds(table);
    assertThat(SystemKeyspace.isViewBuilt("twin", "stopped_view")).isFalse();
    node.cql("ALTER TABLE twin.stopped WITH comment = 'changed'");
    await(() -> SystemKeyspace.isViewBuilt("twin", "stopped_view"));
    assertThat(node.rows("SELECT k FROM twin.stopped_view WHERE v = 1")).hasSize(ROWS);
  }

  /** All that were asked for by now have one thread before this. */
  private static void afterAllBuilds(ColumnFamilyStore table) throws Exception {
    submit(table, () -> {}).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static Future<?> submit(ColumnFamilyStore table, Runnable task) {
    Token least = DatabaseDescriptor.getPartitioner().getMinimumToken();
    return CompactionManager.instance.submitViewBuilder(
        new ViewBuilderTask(
            table, table.viewManager.iterator().next(), new Range<>(least, least), null, 0) {
          @Override
          public Long call() {
            task.run();
            return 0L;
          }
        });
  }

  @Test
  void should_build_it_again_at_the_start_when_the_node_dies_meanwhile() throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("killed_view"));
    try (NodeProcess killed = NodeProcess.start(settings)) {
      killed.cql(KEYSPACE);
      killed.cql(
          "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb'");
      call(killed, "fill", "k.t", "0", "2000");
      die(killed, "createAndDie", "view");
    }
    try (NodeProcess started = NodeProcess.start(settings)) {
      await(() -> started.cql("SELECT * FROM k.v").size() == 2000);
      assertThat(call(started, "dataFiles", "k", "t")).containsExactly("0");
    }
  }

  private ColumnFamilyStore create(String name) {
    node.cql("CREATE TABLE twin." + name + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    for (int k = 0; k < ROWS; k++) {
      node.cql("INSERT INTO twin." + name + " (k, v) VALUES (" + k + ", 1)");
    }
    return node.store("twin", name);
  }

  private void createView(String table) {
    node.cql(
        String.format(
            "CREATE MATERIALIZED VIEW twin.%1$s_view AS SELECT k, v FROM twin.%1$s WHERE k IS NOT"
                + " NULL AND v IS NOT NULL PRIMARY KEY (v, k) WITH memtable = 'rocksdb'",
            table));
  }

  /** While the view's build waits for its turn. */
  private void change(Held held, String statement) throws Exception {
    FutureTask<?> change = new FutureTask<>(() -> node.cql(statement));
    Thread thread = new Thread(change, "change");
    thread.start();
    await(() -> change.isDone() || WAITING.contains(thread.getState()));
    held.close();
    change.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** A task that has the thread of all builds for itself. */
  private final class Held implements AutoCloseable {
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    Held(String of) {
      String name = of + "_first";
      node.cql(
          String.format(
              "CREATE MATERIALIZED VIEW IF NOT EXISTS twin.%s AS SELECT k FROM twin.%s WHERE k IS"
                  + " NOT NULL PRIMARY KEY (k)",
              name, of));
      await(() -> SystemKeyspace.isViewBuilt("twin", name));
      ColumnFamilyStore table = node.store("twin", of);
      CountDownLatch begun = new CountDownLatch(1);
      Future<?> unused =
          submit(
              table,
              () -> {
                begun.countDown();
                Uninterruptibles.awaitUninterruptibly(mayEnd);
              });
      Uninterruptibles.awaitUninterruptibly(begun);
    }

    @Override
    public void close() {
      mayEnd.countDown();
    }
  }
}
