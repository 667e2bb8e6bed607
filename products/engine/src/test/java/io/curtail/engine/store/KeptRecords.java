/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.table.TableStore;

/** What reads have found before, for tests of how they find it. */
public final class KeptRecords {
  private KeptRecords() {}

  /** Has the next reads of a table ask RocksDB. */
  public static void forget(TableStore store) {
    try (Family.Use use = store.use()) {
      use.family.comingIn(true);
      use.family.comingIn(false);
    }
  }
}
