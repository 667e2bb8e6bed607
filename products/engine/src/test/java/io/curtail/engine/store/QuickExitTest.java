/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.curtail.testnode.ChildJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** A JVM that halts while RocksDB tells it of a flush. */
class QuickExitTest {
  private static final int STATUS = 7;
  private static final int PATIENCE_MINUTES = 3;

  static final class Halting {
    private Halting() {}

    public static void main(String[] arguments) throws Exception {
      RocksDB.loadLibrary();
      QuickExit.register();
      CountDownLatch telling = new CountDownLatch(1);
      AbstractEventListener listener =
          new AbstractEventListener(AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED) {
            @Override
            public void onFlushCompleted(RocksDB database, FlushJobInfo flush) {
              telling.countDown();
              Uninterruptibles.awaitUninterruptibly(new CountDownLatch(1));
            }
          };
      Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener));
      RocksDB database = RocksDB.open(options, arguments[0]);
      database.put(new byte[] {1}, new byte[] {1});
      database.flush(new FlushOptions().setWaitForFlush(false));
      telling.await();
      Runtime.getRuntime().halt(STATUS);
    }
  }

  @Test
  void should_end_when_rocksdb_waits_for_its_threads(@TempDir Path folder) throws Exception {
    Process process =
        new ProcessBuilder(ChildJvm.command(Halting.class, folder.resolve("rocksdb").toString()))
            .redirectErrorStream(true)
            .redirectOutput(new File(folder.toFile(), "output"))
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isEqualTo(STATUS);
    } finally {
      process.destroyForcibly();
    }
  }
}
