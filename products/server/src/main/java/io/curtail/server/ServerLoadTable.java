/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** What this node reports of itself, and what the plug-in did, one value a row. */
final class ServerLoadTable extends AbstractVirtualTable {
  private final Plugin plugin;

  ServerLoadTable(Plugin plugin) {
    super(
        VirtualTables.table("server_load", "this node's load, and what Curtail did", "name")
            .addRegularColumn("value", UTF8Type.instance)
            .build());
    this.plugin = plugin;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata);
    Feedback reads = plugin.host().readStage(false, plugin.localReads().serviceTimeNanos());
    Feedback requests = plugin.host().requestStage(0);
    row(rows, "mode", plugin.mode());
    row(rows, "problem", plugin.problem() == null ? "" : plugin.problem());
    row(rows, "errors", plugin.guard().errors());
    row(rows, "coordinators", plugin.selector().clients());
    row(rows, "reads_waiting", reads.waiting());
    row(rows, "reads_active", reads.active());
    row(rows, "read_threads", reads.slots());
    row(rows, "service_us", reads.serviceTimeNanos() / 1000.0);
    row(rows, "requests_waiting", requests.waiting());
    row(rows, "requests_active", requests.active());
    row(rows, "request_threads", requests.slots());
    plugin.counts().all().forEach((name, count) -> row(rows, name, count.sum()));
    return rows;
  }

  private static void row(SimpleDataSet rows, String name, Object value) {
    rows.row(name).column("value", value.toString());
  }
}
