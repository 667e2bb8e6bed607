/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which data files of Cassandra have a reader. Cassandra counts those, but tells nobody; so this
 * looks into the count itself, and takes every file for open where it is not found. Thread-safe.
 */
public final class OpenDataFiles {
  private static final Logger logger = LoggerFactory.getLogger(OpenDataFiles.class);
  private static final Map<?, ?> OPEN = find();

  private OpenDataFiles() {}

  /** Whether a file may have a reader. */
  public static boolean contains(Descriptor file) {
    return OPEN == null || OPEN.containsKey(file);
  }

  private static Map<?, ?> find() {
    try {
      Class<?> type = Class.forName(SSTableReader.class.getName() + "$GlobalTidy");
      Field field = type.getDeclaredField("lookup");
      field.setAccessible(true);
      return (Map<?, ?>) field.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      logger.warn(
          "This version of Cassandra does not show which data files are open: temporary ones stay"
              + " until the next start",
          e);
      return null;
    }
  }
}
