/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.NativeCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads of one key in C, of a RocksDB that Java has opened. */
class NativeReadsTest {
  private static final byte[] ABSENT = {9};

  @TempDir private Path folder;

  @Test
  void should_read_records_of_any_size_and_tell_what_is_missing_from_what_failed()
      throws IOException, RocksDBException {
    RocksDB.loadLibrary();
    Optional<NativeCalls> library = MergeLibrary.load(folder);
    if (library.isPresent()) {
      readAll(library.get());
    }
  }

  private void readAll(NativeCalls calls) throws RocksDBException {
    String directory = folder.resolve("database").toString();
    try (Options options = new Options().setCreateIfMissing(true);
        ReadOptions reading = new ReadOptions();
        ReadOptions readingMemory = new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER);
        FlushOptions flush = new FlushOptions()) {
      try (RocksDB database = RocksDB.open(options, directory)) {
        for (int size : new int[] {0, 1, 511, 512, 513, 100_000}) {
          byte[] key = bytes(size + 1);
          byte[] value = bytes(size);
          database.put(key, value);
          assertThat(calls.get(database, reading, database.getDefaultColumnFamily(), key))
              .isEqualTo(value)
              .isNotSameAs(NativeCalls.FAILED);
        }
        assertThat(calls.get(database, reading, database.getDefaultColumnFamily(), ABSENT))
            .isNull();
        database.flush(flush);
      }
      try (RocksDB database = RocksDB.open(options, directory)) {
        // No block is in memory yet.
        assertThat(
                calls.get(database, readingMemory, database.getDefaultColumnFamily(), bytes(514)))
            .isSameAs(NativeCalls.FAILED);
      }
    }
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
