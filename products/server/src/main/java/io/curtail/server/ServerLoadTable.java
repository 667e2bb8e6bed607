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
  private final LiveSettings live;
  private final Host host;
  private final LocalReads localReads;
  private final Guard guard;
  private final Guard passingGuard;
  private final Counts counts;

  ServerLoadTable(
      LiveSettings live,
      Host host,
      LocalReads localReads,
      Guard guard,
      Guard passingGuard,
      Counts counts) {
    super(
        VirtualTables.table("server_load", "this node's load, and what Curtail did", "name")
            .addRegularColumn("value", UTF8Type.instance)
            .build());
    this.live = live;
    this.host = host;
    this.localReads = localReads;
    this.guard = guard;
    this.passingGuard = passingGuard;
    this.counts = counts;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata);
    Feedback reads = host.readStage(false, localReads.serviceTimeNanos());
    Feedback requests = host.requestStage(0);
    row(rows, "mode", live.mode());
    row(rows, "problem", live.problem() == null ? "" : live.problem());
    row(rows, "errors", guard.errors());
    row(rows, "passing", live.passing());
    row(rows, "passing_problem", live.passingProblem() == null ? "" : live.passingProblem());
    row(rows, "passing_errors", passingGuard.errors());
    row(rows, "coordinators", live.policy().clients());
    row(rows, "reads_waiting", reads.waiting());
    row(rows, "reads_active", reads.active());
    row(rows, "read_threads", reads.slots());
    row(rows, "service_us", reads.serviceTimeNanos() / 1000.0);
    row(rows, "requests_waiting", requests.waiting());
    row(rows, "requests_active", requests.active());
    row(rows, "request_threads", requests.slots());
    counts.all().forEach((name, count) -> row(rows, name, count.sum()));
    return rows;
  }

  private static void row(SimpleDataSet rows, String name, Object value) {
    rows.row(name).column("value", value.toString());
  }
}
