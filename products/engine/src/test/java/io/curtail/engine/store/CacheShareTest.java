/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.FlushOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Rows that are kept get memory of RocksDB's blocks, and both together no more than both may. */
class CacheShareTest {
  private static final int ROWS = 8_000;
  private static final int MIB = 1 << 20;

  private final NativeCalls calls = callsOfNode();

  private static NativeCalls callsOfNode() {
    EmbeddedNode node = TestNode.start();
    node.cql("CREATE TABLE IF NOT EXISTS twin.share (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    return TestNode.store(node.store("twin", "share")).database.settings.nativeCalls();
  }

  @Test
  void should_give_what_blocks_have_left_and_no_more() throws RocksDBException {
    if (calls == null) {
      return; // its size cannot be changed
    }
    try (HyperClockCache blocks = new HyperClockCache(16 * MIB, 0, -1, false);
        Options options =
            new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(blocks));
        RocksDB rows = RocksDB.open(options, TestNode.newDirectory("share").toString())) {
      CacheShare share = new CacheShare(blocks, calls, 16 * MIB, 2 * MIB);
      share.takeFirst(4 * MIB);
      write(rows, 0);
      read(rows, 0);
      assertThat(blocks.getUsage()).isBetween(7L * MIB, 12L * MIB);
      assertThat(share.take(MIB, false)).isTrue();
      assertThat(share.take(8 * MIB, false)).as("without use").isFalse();
      write(rows, ROWS);
      read(rows, ROWS);
      assertThat(blocks.getUsage()).as("as much as it has").isBetween(9L * MIB, 12L * MIB);
      assertThat(share.take(8 * MIB, true)).as("before blocks have left it").isFalse();
      boolean isGiven = false;
      for (int turn = 0; turn < 10 && !isGiven; turn++) {
        read(rows, 0);
        read(rows, ROWS);
        isGiven = share.take(8 * MIB, true);
      }
      assertThat(isGiven).isTrue();
      assertThat(blocks.getUsage()).isBetween(2L * MIB, 7L * MIB / 2);
      assertThat(share.take(8 * MIB, true)).as("more than there is").isFalse();
    }
  }

  private static void write(RocksDB rows, int first) throws RocksDBException {
    byte[] value = new byte[1_000];
    for (int i = first; i < first + ROWS; i++) {
      new Random(i).nextBytes(value);
      rows.put(key(i), value);
    }
    try (FlushOptions flush = new FlushOptions()) {
      rows.flush(flush);
    }
  }

  private static void read(RocksDB rows, int first) throws RocksDBException {
    for (int i = first; i < first + ROWS; i++) {
      assertThat(rows.get(key(i))).hasSize(1_000);
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }
}
