/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.log.LogSync;
import io.curtail.engine.log.NothingFlushed;
import io.curtail.engine.log.SyncMode;
import io.curtail.engine.log.WriteAheadLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.cassandra.io.FSError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Flushes of RocksDB that would be ahead of a log that cannot be synced. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlushesTest {
  @TempDir Path directory;

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  static {
    RocksDB.loadLibrary();
  }

  @Test
  void should_tell_and_make_no_file_and_end_when_the_log_cannot_be_synced() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("log"));
    String name = directory.resolve("rocksdb").toString();
    Flushes flushes = new Flushes();
    try (WriteAheadLog log = new WriteAheadLog(folder, 1L << 40, List.of(), new NothingFlushed());
        LogSync sync = new LogSync(log, "there", SyncMode.BATCH, 1, failures::add);
        Options options =
            new Options()
                .setCreateIfMissing(true)
                .setAvoidFlushDuringShutdown(true)
                .setListeners(List.of(flushes));
        WriteOptions writing = new WriteOptions().setDisableWAL(true);
        FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      try (RocksDB rocksdb = RocksDB.open(options, name)) {
        flushes.setLog(log);
        flushes.setLogSync(sync);
        write(log, rocksdb, writing);
        rocksdb.flush(waiting);
        assertThat(rocksdb.getLiveFilesMetaData()).hasSize(1);

        write(log, rocksdb, writing);
        failSyncs(log, folder);
        assertThatThrownBy(() -> rocksdb.flush(waiting)).isInstanceOf(RocksDBException.class);
        await(() -> !failures.isEmpty());
        assertThat(failures).singleElement().isInstanceOf(FSError.class);
        assertThat(sync.hasFailed()).isTrue();
        rocksdb.cancelAllBackgroundWork(true);
        assertThat(rocksdb.getLiveFilesMetaData()).hasSize(1);
      }
      try (RocksDB again = RocksDB.openReadOnly(options, name)) {
        assertThat(again.getLiveFilesMetaData()).hasSize(1);
      }
    }
  }

  private static void write(WriteAheadLog log, RocksDB rocksdb, WriteOptions writing)
      throws RocksDBException {
    log.append(new byte[100], 100, Set.of(0));
    rocksdb.put(writing, new byte[] {1}, new byte[] {2});
  }

  /** The next segment has a name that the sync cannot change. */
  private static void failSyncs(WriteAheadLog log, Path folder) throws Exception {
    log.release(0);
    log.append(new byte[100], 100, Set.of(0));
    Files.move(folder, folder.resolveSibling("elsewhere"));
  }
}
