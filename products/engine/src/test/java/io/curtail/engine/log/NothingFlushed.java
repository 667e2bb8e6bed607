/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.util.Set;
import org.rocksdb.RocksDBException;

/** A storage of which nothing is ever in files. */
public class NothingFlushed implements WriteAheadLog.Storage {
  @Override
  public long place() {
    return 0;
  }

  @Override
  public boolean isFlushed(int family, long place) {
    return false;
  }

  @Override
  public void flush(Set<Integer> families) throws RocksDBException {}
}
