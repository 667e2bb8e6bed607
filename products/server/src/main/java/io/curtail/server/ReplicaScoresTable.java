/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;

/** Each replica with its score, every term of that, times in milliseconds, and its counts. */
final class ReplicaScoresTable extends AbstractVirtualTable {
  private static final double MILLI = 1e6;

  private final LiveSettings live;
  private final List<Column> columns;

  private static final class Column {
    final String name;
    final AbstractType<?> type;
    final Function<Peer, Object> value;

    Column(String name, AbstractType<?> type, Function<Peer, Object> value) {
      this.name = name;
      this.type = type;
      this.value = value;
    }
  }

  ReplicaScoresTable(LiveSettings live, Host host) {
    this(live, columns(host));
  }

  private ReplicaScoresTable(LiveSettings live, List<Column> columns) {
    super(metadata(columns));
    this.live = live;
    this.columns = columns;
  }

  private static List<Column> columns(Host host) {
    return List.of(
        flag("self", peer -> peer.self),
        flag("local_datacenter", peer -> peer.proximity().isInDataCenter()),
        flag("alive", peer -> peer.self || host.isAlive(peer.endpoint)),
        flag("reports", peer -> peer.point.hasFeedback()),
        number("score", peer -> peer.score()),
        number("response_ms", peer -> peer.point.responseTimeNanos() / MILLI),
        number("service_ms", peer -> peer.point.serviceTimeNanos() / MILLI),
        number("range_response_ms", peer -> peer.load(ReadKind.RANGE).responseTimeNanos() / MILLI),
        number("range_service_ms", peer -> peer.load(ReadKind.RANGE).serviceTimeNanos() / MILLI),
        number("waiting", peer -> peer.point.waiting()),
        number(
            "failure_penalty_ms", peer -> peer.point.failurePenaltyNanos(host.nanoTime()) / MILLI),
        number(
            "silent_ms",
            peer ->
                peer.point.hasResponded()
                    ? peer.point.responseAgeNanos(host.nanoTime()) / MILLI
                    : null),
        number(
            "feedback_age_ms",
            peer ->
                peer.point.hasFeedback()
                    ? peer.point.feedbackAgeNanos(host.nanoTime()) / MILLI
                    : null),
        number("rate_limit", peer -> peer.rate == null ? null : peer.rate.limit()),
        whole("outstanding", peer -> peer.outstanding()),
        whole("last_waiting", peer -> peer.point.lastWaiting()),
        whole("last_active", peer -> peer.point.lastActive()),
        whole("slots", peer -> peer.point.slots()),
        count("chosen", counts -> counts.chosen),
        count("sent", counts -> counts.sent),
        count("answered", counts -> counts.answered),
        count("without_feedback", counts -> counts.withoutFeedback),
        count("failed", counts -> counts.failed),
        count("expired", counts -> counts.expired),
        count("untracked", counts -> counts.untracked),
        count("probes", counts -> counts.probes),
        count("held", counts -> counts.held),
        count("gave_back", counts -> counts.gaveBack),
        count("passed_to", counts -> counts.passedTo));
  }

  private static Column flag(String name, Function<Peer, Object> value) {
    return new Column(name, BooleanType.instance, value);
  }

  private static Column number(String name, Function<Peer, Object> value) {
    return new Column(name, DoubleType.instance, value);
  }

  private static Column whole(String name, Function<Peer, Object> value) {
    return new Column(name, Int32Type.instance, value);
  }

  private static Column count(String name, Function<PeerCounts, LongAdder> value) {
    return new Column(name, LongType.instance, peer -> value.apply(peer.counts).sum());
  }

  private static TableMetadata metadata(List<Column> columns) {
    TableMetadata.Builder table =
        VirtualTables.table("replica_scores", "how this coordinator sees replicas", "endpoint");
    columns.forEach(column -> table.addRegularColumn(column.name, column.type));
    return table.build();
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata);
    for (Peer peer : live.policy().peers().all()) {
      rows.row(peer.name);
      columns.forEach(column -> rows.column(column.name, column.value.apply(peer)));
    }
    return rows;
  }
}
