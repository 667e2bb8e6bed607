/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cassandra 6.0 has no handler of schema changes that one may replace: a table in RocksDB gets what
 * it cannot have, and {@link ForeignIndexes} drops it again.
 */
final class RefusingSchemaFactory {
  private static final Logger logger = LoggerFactory.getLogger(RefusingSchemaFactory.class);

  private RefusingSchemaFactory() {}

  static void install() {
    logger.warn(
        "Cassandra 6.0 cannot be kept from giving tables in RocksDB what they cannot have: no"
            + " ALTER to a memtable without the engine's guard, no storage-attached index");
  }
}
