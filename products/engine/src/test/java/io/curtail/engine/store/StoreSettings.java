/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.TestNode;
import io.curtail.engine.options.EngineOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.rocksdb.RocksDB;

/** The options of a database of a test, which Java merges. */
final class StoreSettings {
  private StoreSettings() {}

  /** Options ask for the configuration of a node, so there is one. */
  static DatabaseOptions of(Path directory, Map<String, String> parameters) {
    TestNode.start();
    RocksDB.loadLibrary();
    Map<String, String> all = new HashMap<>(parameters);
    all.put("merge", "java");
    return new DatabaseOptions(
        EngineOptions.take(all),
        directory.toString(),
        directory.resolve("native"),
        libraries -> {
          throw new IOException("not needed");
        },
        error -> {});
  }
}
