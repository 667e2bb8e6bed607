/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import io.curtail.engine.store.Level;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.ExportedMetrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.junit.jupiter.api.Test;

/** What an operator sees of the engine. */
class EngineMetricsTest {
  private static final String PREFIX = "org.apache.cassandra.metrics." + MetricGroup.TYPE + ".";

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_count_flushes_in_the_registry_and_in_the_virtual_table_when_a_table_was_written()
      throws IOException {
    create("seen");
    Engine engine = Engine.running();
    long before = gauge("FlushedBytes");
    flushARow(engine, "seen", 1);
    assertThat(gauge("FlushedBytes")).isGreaterThan(before);
    assertThat(gauge("WriteAmplificationPercent")).isGreaterThanOrEqualTo(100);
    assertThat(gauge("DataFileBytes")).isPositive();
    awaitKeyspace();
    assertThat(node.rows("SELECT value FROM curtail_engine.metrics WHERE name = 'FlushedBytes'"))
        .hasSize(1)
        .noneMatch(row -> row.equals("value=0"));
    assertThat(
            node.rows(
                "SELECT state, cassandra_data_files FROM curtail_engine.tables WHERE keyspace_name"
                    + " = 'twin' AND table_name = 'seen'"))
        .containsExactly("state='SERVING', cassandra_data_files=0");
  }

  @Test
  void should_show_the_levels_that_have_files_when_compactions_move_them() throws IOException {
    create("levelled");
    Engine engine = Engine.running();
    flushARow(engine, "levelled", 1);
    awaitKeyspace();
    assertThat(levels()).containsExactly("level=0, files=1");
    await(() -> gauge("Level0Bytes") > 0);
    new EngineControl(engine).compact("twin", "levelled");
    assertThat(levels()).singleElement().asString().doesNotStartWith("level=0");
    await(
        () ->
            IntStream.range(1, Level.COUNT)
                .anyMatch(level -> gauge("Level" + level + "Bytes") > 0));
  }

  private List<String> levels() {
    return node.rows(
        "SELECT level, files FROM curtail_engine.levels WHERE keyspace_name = 'twin' AND table_name"
            + " = 'levelled'");
  }

  @Test
  void should_export_what_the_alerts_ask_for() throws Exception {
    create("exported");
    assertThat(
            ExportedMetrics.of(
                ManagementFactory.getPlatformMBeanServer()
                    .queryNames(new ObjectName("org.apache.cassandra.metrics:*"), null)))
        .containsAll(ExportedMetrics.usedOfEngine())
        .contains("curtail_engine_BackgroundErrors");
    assertThat(ExportedMetrics.usedOfEngine()).contains("curtail_engine_Level0Files");
  }

  private void create(String table) {
    node.cql("CREATE TABLE twin." + table + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
  }

  private void flushARow(Engine engine, String table, int key) throws IOException {
    node.cql("INSERT INTO twin." + table + " (k) VALUES (" + key + ")");
    new EngineControl(engine).flush("twin", table);
  }

  private static void awaitKeyspace() {
    await(() -> VirtualKeyspaceRegistry.instance.getKeyspaceNullable(EngineKeyspace.NAME) != null);
  }

  @SuppressWarnings("rawtypes")
  private static long gauge(String name) {
    Map<String, Gauge> gauges = CassandraMetricsRegistry.Metrics.getGauges();
    return (Long) gauges.get(PREFIX + name).getValue();
  }
}
