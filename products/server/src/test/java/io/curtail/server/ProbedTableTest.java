/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Of which tables a read may be sent again, and how. */
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

  private SinglePartitionReadCommand read() {
    return SinglePartitionReadCommand.fullPartitionRead(
        table, 0, table.partitioner.decorateKey(Int32Type.instance.decompose(7)));
  }

  @Test
  void should_send_a_read_of_a_whole_partition_no_further_than_its_first_page() {
    SinglePartitionReadCommand whole = read();
    SinglePartitionReadCommand.Group query = SinglePartitionReadCommand.Group.one(whole);
    assertThat(Cassandra50Queries.reads(query, 100).get(0).limits().count()).isEqualTo(100);
    assertThat(Cassandra50Queries.reads(query, -1).get(0).limits().count()).isEqualTo(10_000);
    SinglePartitionReadCommand limited = whole.withUpdatedLimit(DataLimits.cqlLimits(3));
    query = SinglePartitionReadCommand.Group.one(limited);
    assertThat(Cassandra50Queries.reads(query, 100)).isEqualTo(List.of(limited));
    assertThat(Cassandra50Queries.reads(PartitionRangeReadCommand.allDataRead(table, 0), 100))
        .isEmpty();
  }

  @Test
  void should_send_a_read_with_the_thresholds_that_it_had() {
    SinglePartitionReadCommand read = read();
    assertThat(Cassandra50Host.probe(read).trackWarnings()).isFalse();
    read.trackWarnings();
    assertThat(Cassandra50Host.probe(read).trackWarnings()).isTrue();
    ReadCommand page =
        Cassandra50Queries.reads(SinglePartitionReadCommand.Group.one(read), 100).get(0);
    assertThat(Cassandra50Host.probe(page).trackWarnings()).isTrue();
  }
}
