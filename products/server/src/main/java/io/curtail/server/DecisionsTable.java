/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Date;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** A sample of the latest choices, in one partition, the oldest first. */
final class DecisionsTable extends AbstractVirtualTable {
  private static final String PARTITION = "latest";
  private final Decisions decisions;

  DecisionsTable(Decisions decisions) {
    super(
        VirtualTables.table("decisions", "a sample of the latest choices", "sample")
            .addClusteringColumn("number", LongType.instance)
            .addRegularColumn("at", TimestampType.instance)
            .addRegularColumn("mode", UTF8Type.instance)
            .addRegularColumn("stock_first", UTF8Type.instance)
            .addRegularColumn("curtail_first", UTF8Type.instance)
            .addRegularColumn("chosen", UTF8Type.instance)
            .addRegularColumn("candidates", UTF8Type.instance)
            .addRegularColumn("reason", UTF8Type.instance)
            .addRegularColumn("journey", UTF8Type.instance)
            .build());
    this.decisions = decisions;
  }

  @Override
  @SuppressWarnings("JavaUtilDate") // what Cassandra's timestamps take
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata);
    for (Decisions.Decision decision : decisions.all()) {
      rows.row(PARTITION, decision.number)
          .column("at", new Date(decision.atMillis))
          .column("mode", decision.mode.toString())
          .column("stock_first", decision.stockFirst)
          .column("curtail_first", decision.curtailFirst())
          .column("chosen", decision.chosen)
          .column("candidates", decision.candidates())
          .column("reason", decision.reason)
          .column("journey", decision.journey.toString());
    }
    return rows;
  }
}
