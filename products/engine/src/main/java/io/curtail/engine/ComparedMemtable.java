/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.compare.Shadow;
import java.util.Map;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * The {@code class_name} of a memtable configuration to try the engine with: its tables are
 * Cassandra's in every respect, as its parameter {@code configuration} says, and what is written to
 * them goes to RocksDB as well, to be compared.
 *
 * @see Shadow
 */
public final class ComparedMemtable {
  private ComparedMemtable() {}

  /** What Cassandra calls with the parameters of a configuration; takes those it knows. */
  public static Memtable.Factory factory(Map<String, String> parameters) {
    return ComparedMemtableFactory.of(parameters);
  }
}
