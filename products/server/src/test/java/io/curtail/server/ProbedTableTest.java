/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Of which tables an earlier read may be sent again. */
class ProbedTableTest {
  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  private final TableMetadata table =
      TableMetadata.builder("k", "t", TableId.fromUUID(new UUID(1, 2)))
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("id", Int32Type.instance)
          .addRegularColumn("v", Int32Type.instance)
          .build();

  @Test
  void should_send_reads_of_statements_that_are_older_than_an_option() {
    TableMetadata changed = table.unbuild().gcGraceSeconds(17).build();
    assertThat(changed).isNotEqualTo(table);
    assertThat(Cassandra50Host.hasColumnsOf(table, changed)).isTrue();
  }

  @Test
  void should_send_none_whose_columns_are_others_now() {
    TableMetadata changed = table.unbuild().addRegularColumn("w", Int32Type.instance).build();
    assertThat(Cassandra50Host.hasColumnsOf(table, changed)).isFalse();
  }

  @Test
  void should_send_none_of_a_dropped_table() {
    assertThat(Cassandra50Host.hasColumnsOf(table, null)).isFalse();
  }
}
