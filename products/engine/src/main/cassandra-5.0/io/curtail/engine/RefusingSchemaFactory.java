/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.function.BiConsumer;
import org.apache.cassandra.config.CassandraRelevantProperties;
import org.apache.cassandra.schema.DefaultSchemaUpdateHandlerFactory;
import org.apache.cassandra.schema.SchemaTransformation.SchemaTransformationResult;
import org.apache.cassandra.schema.SchemaUpdateHandler;
import org.apache.cassandra.schema.SchemaUpdateHandlerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes {@link RefusingSchema}, for Cassandra's property {@code
 * cassandra.schema.update_handler_factory.class}.
 */
public final class RefusingSchemaFactory implements SchemaUpdateHandlerFactory {
  private static final Logger logger = LoggerFactory.getLogger(RefusingSchemaFactory.class);

  /**
   * Sets the property if nobody has. Cassandra makes the memtable configuration {@code default} for
   * its own tables just before it reads the property.
   */
  static void install() {
    CassandraRelevantProperties property =
        CassandraRelevantProperties.SCHEMA_UPDATE_HANDLER_FACTORY_CLASS;
    String others = property.getString();
    if (others == null) {
      property.setString(RefusingSchemaFactory.class.getName());
    } else if (!others.equals(RefusingSchemaFactory.class.getName())) {
      logger.warn(
          "{} is {}: indexes that tables in RocksDB cannot have are dropped after their creation"
              + " instead of refused",
          property.getKey(),
          others);
    }
  }

  @Override
  public SchemaUpdateHandler getSchemaUpdateHandler(
      boolean online, BiConsumer<SchemaTransformationResult, Boolean> updated) {
    return online
        ? new RefusingSchema(updated)
        : DefaultSchemaUpdateHandlerFactory.instance.getSchemaUpdateHandler(false, updated);
  }
}
