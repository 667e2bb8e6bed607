/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import org.rocksdb.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process as soon as the JVM is through with its own end.
 *
 * <p>RocksDB's library, when a process exits, waits for its threads, one of which may wait for this
 * JVM to let it tell of a flush: for ever, as a JVM that ends lets no thread in. Where Cassandra's
 * hooks run, that work is ended before; where none do, as when an agent halts the JVM or Java 11
 * exits for want of memory, nothing has ended it.
 */
final class QuickExit {
  private static final Logger logger = LoggerFactory.getLogger(QuickExit.class);

  private QuickExit() {}

  /**
   * Goes before what RocksDB does at an exit: the C library runs last what came first, so RocksDB's
   * own part comes into being here, if it has not. Does nothing where the C library has no {@code
   * on_exit}, which is glibc's.
   */
  static void register() {
    Env unused = Env.getDefault();
    try {
      NativeLibrary c = NativeLibrary.getInstance("c");
      Function exit = c.getFunction("_exit");
      int failed = c.getFunction("on_exit").invokeInt(new Object[] {exit, Pointer.NULL});
      if (failed != 0) {
        logger.warn("RocksDB may keep a JVM that halts from ending: on_exit returned {}", failed);
      }
    } catch (LinkageError e) {
      logger.info("RocksDB may keep a JVM that halts from ending: {}", e.toString());
    }
  }
}
