/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;

/**
 * The settings, changed with {@code UPDATE curtail.settings SET value = '..' WHERE name = '..'}.
 */
final class SettingsTable extends AbstractMutableVirtualTable {
  private final LiveSettings live;

  SettingsTable(LiveSettings live) {
    super(
        VirtualTables.table("settings", "update a value to change it on this node", "name")
            .addRegularColumn("value", UTF8Type.instance)
            .addRegularColumn("live", BooleanType.instance)
            .addRegularColumn("default_value", UTF8Type.instance)
            .addRegularColumn("description", UTF8Type.instance)
            .build());
    this.live = live;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata);
    for (Knob knob : Knob.values()) {
      rows.row(knob.toString())
          .column("value", live.settings().text(knob))
          .column("live", knob.live())
          .column("default_value", knob.defaultValue())
          .column("description", knob.description());
    }
    return rows;
  }

  @Override
  protected void applyColumnUpdate(
      ColumnValues partitionKey, ColumnValues clustering, Optional<ColumnValue> column) {
    if (column.isEmpty() || !column.get().name().equals("value")) {
      throw new InvalidRequestException("only the column 'value' can be changed");
    }
    String name = partitionKey.value(0);
    String value = column.get().value();
    try {
      live.set(Map.of(name, value));
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException(e.getMessage());
    }
  }
}
