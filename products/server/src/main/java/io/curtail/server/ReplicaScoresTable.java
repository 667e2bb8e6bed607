/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;

/** Each replica with every term of its score, in milliseconds, and its counts. */
final class ReplicaScoresTable extends AbstractVirtualTable {
  private static final double MILLI = 1e6;
  private final LiveSettings live;
  private final Host host;

  ReplicaScoresTable(LiveSettings live, Host host) {
    super(columns());
    this.live = live;
    this.host = host;
  }

  private static TableMetadata columns() {
    TableMetadata.Builder table =
        VirtualTables.table("replica_scores", "how this coordinator sees replicas", "endpoint");
    for (String column : new String[] {"self", "local_datacenter", "alive", "reports"}) {
      table.addRegularColumn(column, BooleanType.instance);
    }
    for (String column :
        new String[] {
          "score",
          "response_ms",
          "service_ms",
          "range_response_ms",
          "range_service_ms",
          "waiting",
          "failure_penalty_ms",
          "silent_ms",
          "feedback_age_ms",
          "rate_limit"
        }) {
      table.addRegularColumn(column, DoubleType.instance);
    }
    for (String column : new String[] {"outstanding", "last_waiting", "last_active", "slots"}) {
      table.addRegularColumn(column, Int32Type.instance);
    }
    for (String column :
        new String[] {
          "chosen",
          "sent",
          "answered",
          "without_feedback",
          "failed",
          "expired",
          "untracked",
          "probes",
          "held",
          "gave_back",
          "passed_to"
        }) {
      table.addRegularColumn(column, LongType.instance);
    }
    return table.build();
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata);
    long now = host.nanoTime();
    for (Peer peer : live.policy().peers().all()) {
      row(rows, peer, now);
    }
    return rows;
  }

  private void row(SimpleDataSet rows, Peer peer, long now) {
    rows.row(peer.name)
        .column("self", peer.self)
        .column("local_datacenter", peer.proximity().isInDataCenter())
        .column("alive", peer.self || host.isAlive(peer.endpoint))
        .column("reports", peer.point.hasFeedback())
        .column("score", peer.score())
        .column("response_ms", peer.point.responseTimeNanos() / MILLI)
        .column("service_ms", peer.point.serviceTimeNanos() / MILLI)
        .column("range_response_ms", peer.load(ReadKind.RANGE).responseTimeNanos() / MILLI)
        .column("range_service_ms", peer.load(ReadKind.RANGE).serviceTimeNanos() / MILLI)
        .column("waiting", peer.point.waiting())
        .column("failure_penalty_ms", peer.point.failurePenaltyNanos(now) / MILLI)
        .column(
            "silent_ms",
            peer.point.hasResponded() ? peer.point.responseAgeNanos(now) / MILLI : null)
        .column(
            "feedback_age_ms",
            peer.point.hasFeedback() ? peer.point.feedbackAgeNanos(now) / MILLI : null)
        .column("rate_limit", peer.rate == null ? null : peer.rate.limit())
        .column("outstanding", peer.outstanding())
        .column("last_waiting", peer.point.lastWaiting())
        .column("last_active", peer.point.lastActive())
        .column("slots", peer.point.slots())
        .column("chosen", peer.counts.chosen.sum())
        .column("sent", peer.counts.sent.sum())
        .column("answered", peer.counts.answered.sum())
        .column("without_feedback", peer.counts.withoutFeedback.sum())
        .column("failed", peer.counts.failed.sum())
        .column("expired", peer.counts.expired.sum())
        .column("untracked", peer.counts.untracked.sum())
        .column("probes", peer.counts.probes.sum())
        .column("held", peer.counts.held.sum())
        .column("gave_back", peer.counts.gaveBack.sum())
        .column("passed_to", peer.counts.passedTo.sum());
  }
}
