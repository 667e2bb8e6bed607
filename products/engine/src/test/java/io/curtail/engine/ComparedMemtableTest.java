/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.compare.Shadow;
import io.curtail.engine.compare.ShadowTables;
import io.curtail.engine.compare.Shadows;
import io.curtail.engine.store.Family;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.LoggerFactory;

/** Tables that Cassandra serves and that are compared with RocksDB, on a node in this process. */
class ComparedMemtableTest {
  private static int tables;

  private final EmbeddedNode node = TestNode.start();
  private final EngineControl control = new EngineControl(running());
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final String name = "compared_" + tables++;
  private final String table = "twin." + name;

  private Engine running() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.opens (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    return Engine.running();
  }

  @BeforeEach
  void hear() {
    log.start();
    ((Logger) LoggerFactory.getLogger(Shadow.class)).addAppender(log);
  }

  @AfterEach
  void hearNoMore() {
    ((Logger) LoggerFactory.getLogger(Shadow.class)).detachAppender(log);
    node.cql("DROP TABLE IF EXISTS " + table);
  }

  private Shadow create(String columns) {
    node.cql("CREATE TABLE " + table + " (" + columns + ") WITH memtable = 'compared'");
    return begun();
  }

  private Shadow begun() {
    patiently().ignoreExceptions().until(() -> ShadowTables.of(shadow()) != null);
    return shadow();
  }

  private Shadow shadow() {
    return Shadows.NODE.get("twin", name);
  }

  private long value(String of) {
    return (Long) shadow().values().get(of);
  }

  private void drained() {
    await(() -> value("queued_bytes") == 0);
  }

  private void flush(TableStore store) throws RocksDBException {
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true);
        Family.Use use = store.use()) {
      if (use != null) {
        use.run(family -> Engine.running().database.rocksdb.flush(waiting, family));
      }
    }
  }

  private List<String> lines() {
    return new ArrayList<>(log.list)
        .stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.toList());
  }

  @Test
  void should_find_no_difference_whatever_is_written_by_several_at_once() throws Exception {
    Shadow shadow =
        create(
            "p int, c int, d text, s int STATIC, t set<int> STATIC, v int, m map<int, text>, l"
                + " list<int>, f frozen<list<int>>, PRIMARY KEY (p, c, d)");
    ExecutorService writers = Executors.newFixedThreadPool(4);
    List<Future<?>> ends = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      Random random = new Random(22 + writer);
      ends.add(
          writers.submit(
              () -> {
                for (int i = 0; i < 600; i++) {
                  node.cql(ComparedWrites.next(random).replace("#", table));
                }
              }));
    }
    for (int round = 0; round < 5; round++) {
      flush(ShadowTables.of(shadow));
      assertThat(control.compare("twin", name)).as(lines().toString()).isZero();
      node.store("twin", name).forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
    }
    for (Future<?> end : ends) {
      end.get();
    }
    writers.shutdown();
    drained();
    assertThat(control.compare("twin", name)).as(lines().toString()).isZero();
    assertThat(lines()).noneMatch(line -> line.contains("differs"));
    assertThat(value("errors")).isZero();
    assertThat(value("compared")).isPositive();
    assertThat(value("written")).isGreaterThan(1_000);
    assertThat(value("rocksdb_read_p99_micros")).isPositive();
    assertThat(value("cassandra_read_p99_micros")).isPositive();
    assertThat(
            node.rows(
                "SELECT state, differences FROM curtail_engine.compared WHERE keyspace_name ="
                    + " 'twin' AND table_name = '"
                    + name
                    + "'"))
        .containsExactly("state='compared', differences=0");
  }

  @Test
  void should_find_no_difference_of_ranges_that_were_deleted_in_other_seconds_of_one_timestamp() {
    create("p int, c int, v int, PRIMARY KEY (p, c)");
    for (String deleted :
        new String[] {
          "p = 1 AND c >= 1 AND c < 5",
          "p = 2 AND c > 1 AND c <= 5",
          "p = 3",
          "p = 4 AND c >= 1",
          "p = 1 AND c = 3",
          "p = 1 AND c >= 1 AND c < 5",
          "p = 2 AND c >= 3",
          "p = 2 AND c < 2",
          "p = 3 AND c > 2",
          "p = 3 AND c = 1",
          "p = 4 AND c = 2",
          "p = 4"
        }) {
      node.cql("DELETE FROM " + table + " USING TIMESTAMP 5 WHERE " + deleted);
      long second = FBUtilities.nowInSeconds();
      await(() -> FBUtilities.nowInSeconds() > second);
    }
    drained();
    assertThat(control.compare("twin", name)).as(lines().toString()).isZero();
    assertThat(value("compared")).isEqualTo(4);
    PartitionUpdate.SimpleBuilder more =
        PartitionUpdate.simpleBuilder(node.store("twin", name).metadata(), 1);
    more.timestamp(6).addRangeTombstone().start(2).end(3);
    ShadowTables.write(shadow(), more.build());
    assertThat(control.compare("twin", name)).isEqualTo(1);
    assertThat(lines())
        .filteredOn(line -> line.contains("differs"))
        .singleElement()
        .asString()
        .contains("partition 1 of " + table, "a bound of a deleted range");
  }

  @Test
  void should_take_no_more_of_the_disk_than_it_may() throws Exception {
    node.cql(
        "CREATE TABLE "
            + table
            + " (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'comparedsmall' AND"
            + " default_time_to_live = 1");
    Random random = new Random(4);
    int c = 0;
    double free = DatabaseDescriptor.getMaxSpaceForCompactionsPerDrive();
    try {
      for (long most : new long[] {1 << 20, 1 << 20, 0}) {
        TableStore store = ShadowTables.of(begun());
        if (most == 0) {
          DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(0);
        }
        while (store == ShadowTables.of(shadow()) && store.fileBytes() <= most) {
          for (int i = 0; i < 10; i++) {
            String text =
                random.ints(10_000, 'a', 'z').mapToObj(Character::toString).collect(joining());
            node.cql("INSERT INTO " + table + " (p, c, v) VALUES (1, " + c++ + ", '" + text + "')");
          }
          drained();
          flush(store);
        }
        await(() -> families(store) == 0);
      }
    } finally {
      DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(free);
    }
    begun();
    assertThat(lines()).noneMatch(line -> line.contains("differs"));
    assertThat(value("errors")).isZero();
  }

  @Test
  void should_find_no_difference_of_counters() {
    create("p int, c int, n counter, s counter STATIC, PRIMARY KEY (p, c)");
    Random random = new Random(7);
    for (int i = 0; i < 400; i++) {
      int p = random.nextInt(5);
      int c = random.nextInt(5);
      if (random.nextInt(20) == 0) {
        node.cql("DELETE FROM " + table + " WHERE p = " + p + " AND c = " + c);
      } else {
        node.cql("UPDATE " + table + " SET n = n + 3, s = s - 1 WHERE p = " + p + " AND c = " + c);
      }
    }
    drained();
    assertThat(control.compare("twin", name)).as(lines().toString()).isZero();
    assertThat(value("compared")).isPositive();
    assertThat(value("errors")).isZero();
  }

  @Test
  void should_name_the_partition_when_a_record_is_lost_or_there_is_one_too_many() throws Exception {
    Shadow shadow = create("p int, c int, v int, PRIMARY KEY (p, c)");
    for (int p = 0; p < 20; p++) {
      node.cql("INSERT INTO " + table + " (p, c, v) VALUES (" + p + ", 1, 1)");
    }
    drained();
    assertThat(control.compare("twin", name)).isZero();
    TableStore store = ShadowTables.of(shadow);
    byte[] lost = Keys.record(store.keys.encode(key(7)), Keys.ROW);
    Engine.running().database.rocksdb.delete(store.family(), first(store, lost));
    assertThat(control.compare("twin", name)).isEqualTo(1);
    assertThat(value("differences")).isEqualTo(1);
    assertThat(lines())
        .filteredOn(line -> line.contains("differs"))
        .singleElement()
        .asString()
        .contains("partition 7 of " + table, "RocksDB lacks the row c=1");
    PartitionUpdate.SimpleBuilder more =
        PartitionUpdate.simpleBuilder(node.store("twin", name).metadata(), 9);
    more.row(1).add("v", 5);
    more.row(2).add("v", 5);
    ShadowTables.write(shadow, more.build());
    assertThat(control.compare("twin", name)).isEqualTo(1);
    assertThat(lines())
        .filteredOn(line -> line.contains("partition 9 of " + table))
        .singleElement()
        .asString()
        .endsWith("the row c=1 in the row's own time, v");
    assertThat(control.comparePartition("twin", name, "8")).isEqualTo("SAME");
    assertThat(control.comparePartition("twin", name, "7"))
        .as("what differed is not followed any more; from now on it is")
        .isEqualTo("FOLLOWED");
    assertThat(control.comparePartition("twin", name, "7")).isEqualTo("SAME");
  }

  private DecoratedKey key(int p) {
    return node.store("twin", name).getPartitioner().decorateKey(ByteBufferUtil.bytes(p));
  }

  /** The first key that begins so. */
  private byte[] first(TableStore store, byte[] prefix) {
    try (RocksIterator keys = Engine.running().database.partitionIterator(store.family())) {
      keys.seek(prefix);
      assertThat(Keys.hasPrefix(keys.key(), prefix)).isTrue();
      return keys.key();
    }
  }

  /** A row of theirs that a start finds no family of would keep the node from starting. */
  @Test
  void should_leave_nothing_for_a_start_when_a_write_comes_after_its_end() {
    Shadow shadow = create("p int PRIMARY KEY, v int");
    TableStore store = ShadowTables.of(shadow);
    assertThat(store.familyToWrite()).isNotNull();
    store.drop();
    assertThatThrownBy(store::familyToWrite).isInstanceOf(IllegalStateException.class);
    assertThat(Engine.running().database.generations.tables()).doesNotContain(store.table);
    assertThat(families(store)).isZero();
  }

  @Test
  void should_fail_no_write_and_end_after_ten_errors() throws Exception {
    Shadow shadow = create("p int PRIMARY KEY, n counter");
    for (int p = 0; p < 20; p++) {
      node.cql("UPDATE " + table + " SET n = n + 1 WHERE p = " + p);
    }
    drained();
    TableStore store = ShadowTables.of(shadow);
    for (int p = 0; p < 20; p++) {
      byte[] record = Keys.record(store.keys.encode(key(p)), Keys.ROW);
      Engine.running()
          .database
          .rocksdb
          .put(store.family(), record, "no record".getBytes(StandardCharsets.UTF_8));
    }
    for (int p = 0; p < 20; p++) {
      node.cql("UPDATE " + table + " SET n = n + 1 WHERE p = " + p);
    }
    eventually(
        // Of two threads that write, the one with the eleventh may come first.
        () -> assertThat((String) shadow().values().get("state")).matches("off: 1[01] errors.*"));
    eventually( // the log is told after the state
        () -> {
          assertThat(lines()).filteredOn(line -> line.contains("is not affected")).hasSize(1);
          assertThat(lines()).filteredOn(line -> line.contains("not compared")).hasSize(1);
        });
    assertThat(node.rows("SELECT n FROM " + table)).hasSize(20).containsOnly("n=2");
    await(() -> families(store) == 0);
    assertThatThrownBy(() -> control.compare("twin", name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(" errors, the last: ");
    node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    node.cql("ALTER TABLE " + table + " WITH memtable = 'compared'");
    begun();
    assertThat(value("errors")).isZero();
  }

  private long families(TableStore store) {
    return Engine.running().database.families.names().stream()
        .filter(store.name().toString()::equals)
        .count();
  }

  @Test
  void should_let_no_write_wait_when_rocksdb_does_not_keep_up() {
    Shadow shadow = create("p int, c int, v text, PRIMARY KEY (p, c)");
    TableStore store = ShadowTables.of(shadow);
    Lock held = store.locks.exclusive(store.keys.encode(key(1)));
    String large = "x".repeat(1 << 20);
    held.lock();
    try {
      for (int c = 0; c < 40; c++) {
        node.cql("INSERT INTO " + table + " (p, c, v) VALUES (1, " + c + ", '" + large + "')");
      }
      assertThat(value("skipped")).isPositive();
      assertThat(value("queued_bytes"))
          .isPositive()
          .isLessThanOrEqualTo(shadow.options.memoryBytes / 2);
    } finally {
      held.unlock();
    }
    drained();
    assertThat(node.rows("SELECT c FROM " + table)).hasSize(40);
    assertThat(lines()).noneMatch(line -> line.contains("differs"));
    assertThat(value("errors")).isZero();
  }

  @Test
  void should_begin_anew_when_the_table_is_truncated_or_has_other_columns() {
    TableStore first = ShadowTables.of(create("p int PRIMARY KEY, v int, w int"));
    node.cql("INSERT INTO " + table + " (p, v) VALUES (1, 1)");
    node.cql("TRUNCATE " + table);
    await(() -> families(first) == 0);
    TableStore second = ShadowTables.of(begun());
    node.cql("INSERT INTO " + table + " (p, v, w) VALUES (1, 1, 1)");
    node.cql("ALTER TABLE " + table + " DROP w");
    await(() -> families(second) == 0);
    node.cql("ALTER TABLE " + table + " ADD w int");
    node.cql("INSERT INTO " + table + " (p, v) VALUES (1, 1)");
    begun();
    node.cql("INSERT INTO " + table + " (p, w) VALUES (1, 1)");
    drained();
    assertThat(control.compare("twin", name)).isZero();
    assertThat(value("compared")).isPositive();
    assertThat(node.rows("SELECT * FROM " + table)).containsExactly("p=1, v=1, w=1");
    TableStore last = ShadowTables.of(shadow());
    node.cql("DROP TABLE " + table);
    eventually(
        () -> {
          assertThat(families(last)).isZero();
          assertThat(control.getCompared()).doesNotContainKey(table);
        });
  }

  @Test
  void should_keep_every_row_when_a_table_goes_by_comparison_to_rocksdb_and_back() {
    node.cql("CREATE TABLE " + table + " (p int PRIMARY KEY, v int) WITH memtable = 'default'");
    node.cql("INSERT INTO " + table + " (p, v) VALUES (1, 1)");
    node.cql("ALTER TABLE " + table + " WITH memtable = 'compared'");
    TableStore store = ShadowTables.of(begun());
    node.cql("INSERT INTO " + table + " (p, v) VALUES (2, 2)");
    node.cql("DELETE FROM " + table + " WHERE p = 3");
    drained();
    assertThat(control.compare("twin", name)).isZero();
    assertThat(control.getTables()).doesNotContainKey(table);
    assertThat(control.getCompared()).containsKey(table);
    node.cql("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
    await(() -> families(store) == 0);
    assertThat(control.getCompared()).doesNotContainKey(table);
    node.cql("INSERT INTO " + table + " (p, v) VALUES (4, 4)");
    assertThatThrownBy(() -> node.cql("ALTER TABLE " + table + " WITH memtable = 'compared'"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Use 'default'");
    node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    await(() -> !control.getTables().containsKey(table));
    node.cql("ALTER TABLE " + table + " WITH memtable = 'compared'");
    assertThat(node.rows("SELECT p FROM " + table)).containsExactlyInAnyOrder("p=1", "p=2", "p=4");
  }

  @Test
  void should_compare_tables_of_either_memtable_of_cassandra() {
    node.cql("CREATE TABLE " + table + " (p int PRIMARY KEY) WITH memtable = 'comparedlist'");
    begun();
    node.cql("INSERT INTO " + table + " (p) VALUES (1)");
    drained();
    assertThat(control.compare("twin", name)).isZero();
    assertThat(value("compared")).isEqualTo(1);
    assertThat(node.rows("SELECT p FROM " + table)).containsExactly("p=1");
  }

  @Test
  void should_refuse_parameters_that_name_no_such_configuration() {
    assertRefused(Map.of("configuration", "none", "with", "rocksdb"), "configuration is \"none\"");
    assertRefused(
        Map.of("configuration", "rocksdb", "with", "rocksdb"), "configuration is \"rocksdb\"");
    assertRefused(Map.of("configuration", "trie", "with", "trie"), "with is \"trie\"");
    assertRefused(
        Map.of("configuration", "trie", "with", "rocksdb", "sample", "0"), "sample is \"0\"");
    assertRefused(
        Map.of("configuration", "trie", "with", "rocksdb", "samples", "1"), "samples is not known");
  }

  private static void assertRefused(Map<String, String> parameters, String why) {
    assertThatThrownBy(() -> ComparedMemtable.factory(new HashMap<>(parameters)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(why.replace("configuration is", "parameter configuration is"));
  }
}
