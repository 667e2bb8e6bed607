/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class SegmentFlushesTest {
  private static final int MOST_BYTES = 1 << 20;

  @TempDir private Path directory;

  /** As RocksDB says after two compactions without room. */
  @Test
  void should_give_back_what_is_in_files_though_its_flush_is_called_failed() throws Exception {
    Stored storage =
        new Stored(Integer.MAX_VALUE) {
          @Override
          public void flush(Set<Integer> families) throws RocksDBException {
            flushedTo = place;
            super.flush(families);
          }
        };
    byte[] record = new byte[1_000];
    try (WriteAheadLog log = new WriteAheadLog(directory, MOST_BYTES, List.of(), storage)) {
      while (log.bytes() <= MOST_BYTES) {
        OpOrder.Group unfinished = log.start();
        try {
          log.append(record, record.length, Set.of(7));
        } finally {
          unfinished.close();
        }
      }
      await(() -> log.bytes() <= MOST_BYTES / 4 * 3);
    }
    assertThat(storage.failures.get()).isPositive();
  }
}
