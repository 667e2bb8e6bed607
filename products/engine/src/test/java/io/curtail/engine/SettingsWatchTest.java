/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.curtail.engine.operation.NodeWatch;
import io.curtail.testnode.EmbeddedNode;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the node says of settings that do nothing for tables in RocksDB, or cost much. */
class SettingsWatchTest {
  private final EmbeddedNode node = TestNode.start();
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

  @BeforeEach
  void hear() {
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.settled (k int PRIMARY KEY, v int) WITH memtable ="
            + " 'rocksdb'");
    node.cql("INSERT INTO twin.settled (k, v) VALUES (1, 1)");
    Engine.running().watch.look();
    warnings.start();
    logger().addAppender(warnings);
  }

  @AfterEach
  void hearNoMore() {
    logger().detachAppender(warnings);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(NodeWatch.class.getPackageName() + ".SettingsWatch");
  }

  private List<String> heard() {
    Engine.running().watch.look();
    Engine.running().watch.look();
    List<String> heard =
        warnings.list.stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.toList());
    warnings.list.clear();
    return heard;
  }

  @Test
  void should_warn_once_of_guardrails_that_look_at_data_files() {
    assertThat(heard()).isEmpty();
    Guardrails.instance.setPartitionSizeThreshold("1MiB", null);
    Guardrails.instance.setItemsPerCollectionThreshold(10, 20);
    try {
      assertThat(heard())
          .singleElement()
          .asString()
          .contains("partition_size_", "items_per_collection_", "twin.settled")
          .doesNotContain("tombstones", "collection_size");
    } finally {
      Guardrails.instance.setPartitionSizeThreshold(null, null);
      Guardrails.instance.setItemsPerCollectionThreshold(-1, -1);
    }
    assertThat(heard()).isEmpty();
    Guardrails.instance.setPartitionTombstonesThreshold(1_000, -1);
    Guardrails.instance.setCollectionSizeThreshold(null, "1MiB");
    try {
      assertThat(heard())
          .singleElement()
          .asString()
          .contains("partition_tombstones_", "collection_size_");
    } finally {
      Guardrails.instance.setPartitionTombstonesThreshold(-1, -1);
      Guardrails.instance.setCollectionSizeThreshold(null, null);
    }
  }

  @Test
  void should_warn_once_of_a_view_when_received_rows_are_writes() {
    node.cql(
        "CREATE MATERIALIZED VIEW twin.settled_by_v AS SELECT k, v FROM twin.settled WHERE k IS NOT"
            + " NULL AND v IS NOT NULL PRIMARY KEY (v, k)");
    try {
      assertThat(heard())
          .singleElement()
          .asString()
          .contains("twin.settled", "absorb: true")
          .doesNotContain("settled_by_v");
      node.cql("INSERT INTO twin.settled (k, v) VALUES (2, 2)");
      assertThat(heard()).isEmpty();
    } finally {
      node.cql("DROP MATERIALIZED VIEW twin.settled_by_v");
    }
  }
}
