/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.curtail.engine.operation.NodeWatch;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.GenerationState;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Rows of tables that the schema does not know. */
class UnknownTablesTest {
  private final EmbeddedNode node = TestNode.start();
  private EngineMXBean engine;

  @BeforeEach
  void open() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    engine = new EngineControl(Engine.running());
  }

  @Test
  void should_name_and_remove_the_rows_of_a_table_that_no_schema_knows() throws IOException {
    Database database = Engine.running().database;
    String unknown = "twin/dropped_halfway/" + TableId.generate();
    ListAppender<ILoggingEvent> warnings = new ListAppender<>();
    warnings.start();
    Logger log = (Logger) LoggerFactory.getLogger(NodeWatch.class);
    log.addAppender(warnings);
    try {
      database.createFamily(new FamilyName(unknown, 3), GenerationState.SERVING);
      Engine.running().watch.look();
      assertThat(engine.getUnknownTables()).contains(unknown);
      assertThat(warnings.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .anySatisfy(line -> assertThat(line).contains(unknown, "drop-unknown"));
    } finally {
      log.detachAppender(warnings);
      engine.dropUnknown(unknown);
    }
    assertThat(engine.getUnknownTables()).doesNotContain(unknown);
    assertThat(database.families.get(unknown + "/3")).isNull();
    assertThat(database.generations.live(unknown)).isEmpty();
    assertThatThrownBy(() -> engine.dropUnknown(unknown))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(unknown);
  }

  /** JMX answers before Cassandra has read its schema, when no table is known. */
  @Test
  void should_name_and_remove_none_before_the_node_has_started()
      throws IOException, ReflectiveOperationException {
    Database database = Engine.running().database;
    String unknown = "twin/not_read_yet/" + TableId.generate();
    database.createFamily(new FamilyName(unknown, 0), GenerationState.SERVING);
    Field daemon = StorageService.class.getDeclaredField("daemon");
    daemon.setAccessible(true);
    Object started = daemon.get(StorageService.instance);
    daemon.set(StorageService.instance, null);
    try {
      assertThat(engine.getUnknownTables()).isEmpty();
      assertThatThrownBy(() -> engine.dropUnknown(unknown))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("starts or joins");
      assertThat(database.generations.tables()).contains(unknown);
    } finally {
      daemon.set(StorageService.instance, started);
    }
    assertThat(engine.getUnknownTables()).contains(unknown);
    engine.dropUnknown(unknown);
  }

  /** As of a drop that a full disk did not take. */
  @Test
  void should_make_a_table_of_which_dead_rows_are_left() {
    TableId id = TableId.generate();
    Engine.running()
        .database
        .createFamily(new FamilyName("twin/dropped_before/" + id, 2), GenerationState.DEAD);
    node.cql(
        "CREATE TABLE twin.dropped_before (k int PRIMARY KEY) WITH memtable = 'rocksdb' AND id = "
            + id);
    node.cql("INSERT INTO twin.dropped_before (k) VALUES (1)");
    assertThat(node.rows("SELECT k FROM twin.dropped_before")).containsExactly("k=1");
    node.cql("DROP TABLE twin.dropped_before");
  }

  @Test
  void should_leave_tables_of_the_schema_and_their_indexes_alone() {
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.well_known (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'rocksdb'");
    node.cql(
        "CREATE INDEX IF NOT EXISTS well_known_v ON twin.well_known (v) USING 'legacy_local_table'");
    node.cql("INSERT INTO twin.well_known (k, v) VALUES (1, 2)");
    TableMetadata table = node.store("twin", "well_known").metadata();
    assertThat(engine.getUnknownTables()).noneMatch(name -> name.contains("well_known"));
    assertThatThrownBy(() -> engine.dropUnknown(FamilyName.table(table)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(node.rows("SELECT k FROM twin.well_known WHERE v = 2")).hasSize(1);
  }
}
