/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.trials.cost.TableProfile.Layer;
import org.junit.jupiter.api.Test;

class TableProfileTest {
  private static final String TURN = "java/lang/Thread.run;" + turn("measure") + ";";
  private static final String READ =
      TURN + "org/apache/cassandra/db/SinglePartitionReadCommand.query;";
  private static final String WRITE =
      TURN + "org/apache/cassandra/db/Keyspace.apply;io/curtail/engine/RocksMemtable.put;";

  private static String turn(String method) {
    return "io/curtail/engine/trials/cost/TableTurns." + method;
  }

  @Test
  void should_give_time_to_the_lowest_layer_of_a_stack() {
    String stacks =
        String.join(
            "\n",
            TURN + turn("values") + " 10",
            READ + "com/codahale/metrics/Histogram.update 3",
            READ + "org/apache/cassandra/io/sstable/format/bti/BtiTableReader.rowIterator 20",
            READ + "org/apache/cassandra/db/memtable/TrieMemtable.rowIterator;Trie.get 1",
            WRITE + "io/curtail/engine/table/PartitionWriter.apply 5",
            WRITE + "io/curtail/engine/log/WriteAheadLog.append;__pwrite64 6",
            TURN + "org/apache/cassandra/db/commitlog/CommitLog.add 7",
            WRITE + "bool rocksdb::InlineSkipList<rocksdb::Key const&>::Insert<true>;memcmp 30",
            WRITE + "org/rocksdb/RocksIterator.seek 2",
            "java/lang/Thread.run;io/curtail/engine/log/LogSync.run 1000");
    String counted = TableProfile.count(stacks);
    assertThat(counted).isEqualTo("13 26 13 32");
    TableProfile profile = TableProfile.of(TableCase.SMALL, "rocksdb", counted);
    assertThat(profile.samples()).isEqualTo(84);
    assertThat(profile.shares().get(Layer.ROCKSDB)).isEqualTo(32 / 84.0);
  }

  @Test
  void should_refuse_a_profile_without_a_request() {
    String counted = TableProfile.count("java/lang/Thread.run;GC 12");
    assertThatThrownBy(() -> TableProfile.of(TableCase.SMALL, "trie", counted))
        .hasMessage("the profiler met no request: row of 100 B by key");
  }
}
