/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.Filter;
import org.rocksdb.RocksDBException;

/** Column families that are made and dropped beside writes. */
class FamiliesTest {
  private static final byte[] KEY = {1, 2};
  private static final byte[] VALUE = {3};

  private final EmbeddedNode node = TestNode.start();

  private Database database() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    return TestNode.store(node.store("twin", "load")).database;
  }

  @Test
  void should_wait_for_writes_and_hold_others_up_when_a_column_family_comes_or_goes()
      throws Exception {
    Database database = database();
    String name = FamilyName.ofCopy().toString();
    whileOneWrites(database, () -> database.families.create(name));
    assertThat(database.families.get(name)).isNotNull();
    whileOneWrites(
        database,
        () -> {
          database.dropFamily(name);
          return name;
        });
    assertThat(database.families.get(name)).isNull();
  }

  @Test
  void should_leave_nothing_open_when_column_families_are_made_and_dropped() {
    Database database = database();
    List<Family> dropped = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String name = FamilyName.ofCopy().toString();
      Family family = database.families.create(name);
      write(database, family);
      assertThat(family.handle.isOwningHandle()).isTrue();
      database.dropFamily(name);
      dropped.add(family);
      names.add(name);
    }
    assertThat(dropped).allMatch(FamiliesTest::hasClosedAll);
    assertThat(database.families.names()).doesNotContainAnyElementsOf(names);
  }

  @Test
  void should_have_one_filter_for_all_column_families() {
    Database database = database();
    try (ColumnFamilyOptions one = database.familyOptions(FamilyName.ofCopy().toString());
        ColumnFamilyOptions other = database.familyOptions(FamilyName.ofCopy().toString())) {
      assertThat(filter(one)).isNotNull().isSameAs(filter(other));
    }
  }

  @Test
  void should_keep_few_megabytes_of_what_rocksdb_says_for_as_long_as_the_node_runs() {
    assertThat(Path.of(database().rocksdb.getName(), "LOG"))
        .content()
        .contains("Options.max_log_file_size: " + (32 << 20), "Options.keep_log_file_num: 10");
  }

  private static Filter filter(ColumnFamilyOptions options) {
    return ((BlockBasedTableConfig) options.tableFormatConfig()).filterPolicy();
  }

  @Test
  void should_leave_nothing_open_when_a_table_is_emptied_again_and_again() {
    node.cql("CREATE TABLE twin.emptied_often (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    List<Family> dropped = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      node.cql("INSERT INTO twin.emptied_often (k) VALUES (1)");
      assertThat(node.rows("SELECT k FROM twin.emptied_often")).hasSize(1);
      TableStore store = TestNode.store(node.store("twin", "emptied_often"));
      dropped.add(store.database.families.get(store.name().toString()));
      node.cql(i < 4 ? "TRUNCATE twin.emptied_often" : "DROP TABLE twin.emptied_often");
    }
    assertThat(dropped).doesNotHaveDuplicates();
    await(() -> dropped.stream().allMatch(FamiliesTest::hasClosedAll));
  }

  @Test
  void should_stay_open_when_it_is_dropped_until_its_last_use_ends() throws RocksDBException {
    Database database = database();
    String name = FamilyName.ofCopy().toString();
    Family family = database.families.create(name);
    write(database, family);
    try (Family.Use last = family.use()) {
      try (Family.Use first = family.use()) {
        database.dropFamily(name);
        assertThat(database.rocksdb.get(first.handle, KEY)).isEqualTo(VALUE);
      }
      assertThat(database.use(name)).isNull();
      assertThat(family.isClosed()).isFalse();
      assertThat(database.rocksdb.get(last.handle, KEY)).isEqualTo(VALUE);
    }
    assertThat(family).matches(FamiliesTest::hasClosedAll);
    assertThat(family.use()).isNull();
  }

  private static void write(Database database, Family family) {
    Batch batch = new Batch();
    batch.put(family.handle, KEY, VALUE);
    database.write(batch, List.of(KEY));
  }

  private static boolean hasClosedAll(Family family) {
    return family.isClosed() && !family.handle.isOwningHandle() && !family.options.isOwningHandle();
  }

  private static void whileOneWrites(Database database, Callable<?> change) throws Exception {
    FutureTask<?> changing;
    FutureTask<?> later;
    OpOrder.Group unfinished = database.log.start();
    try {
      changing = inThread(change);
      await(FamiliesTest::isHoldingWritesUp);
      assertWaiting(changing);
      later =
          inThread(
              () -> {
                database.log.start().close();
                return null;
              });
      assertWaiting(later);
    } finally {
      unfinished.close();
    }
    changing.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
    later.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
  }

  /** Whether the thread that changes has come so far; it cannot go on. */
  private static boolean isHoldingWritesUp() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals("families-test"))
        .flatMap(thread -> Arrays.stream(thread.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals("awaitAll"));
  }

  private static void assertWaiting(FutureTask<?> task) {
    assertThatThrownBy(() -> task.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  private static FutureTask<?> inThread(Callable<?> action) {
    FutureTask<?> task = new FutureTask<>(action);
    new Thread(task, "families-test").start();
    return task;
  }
}
