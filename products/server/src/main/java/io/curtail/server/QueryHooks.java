/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.FeedbackCodec;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * What the plug-in does where this node's clients are answered. But for the refusal of a second
 * copy, nothing that it does fails a request. Thread-safe.
 */
final class QueryHooks {
  private final LiveSettings live;
  private final Host host;
  private final ReadTraffic traffic;
  private final Counts counts;
  private final Guard guard;

  QueryHooks(LiveSettings live, Host host, ReadTraffic traffic, Counts counts, Guard guard) {
    this.live = live;
    this.host = host;
    this.traffic = traffic;
    this.counts = counts;
    this.guard = guard;
  }

  /**
   * Lets a second copy of a read go on only to a free read thread.
   *
   * @throws CopyRefusedException if there is none
   */
  void refuseIfBusy() {
    if (live.mode().measures() && isBusy()) {
      counts.copiesRefused.increment();
      throw new CopyRefusedException();
    }
  }

  private boolean isBusy() {
    try {
      return !PassedReads.isFree(host.readStage(false, 0));
    } catch (Throwable e) {
      guard.failed("looking for a thread for a second copy", e);
      return false;
    }
  }

  /** Puts this node's load on an answer. */
  void attach(ResultMessage result, RequestTime time) {
    if (!live.mode().measures()) {
      return;
    }
    try {
      long busy = host.nanoTime() - time.startedAtNanos();
      Map<String, ByteBuffer> all = new HashMap<>();
      if (result.getCustomPayload() != null) {
        all.putAll(result.getCustomPayload());
      }
      byte[] load = FeedbackCodec.encode(host.requestStage(busy));
      all.put(FeedbackCodec.PAYLOAD_KEY, ByteBuffer.wrap(load));
      result.setCustomPayload(all);
    } catch (Throwable e) {
      guard.failed("reporting load to a driver", e);
    }
  }

  /** A read of this node's own data passes no message: that it failed is only seen here. */
  void onReadFailed(CQLStatement statement, ReadFailureException failure) {
    try {
      RequestFailureReason reason = failure.failureReasonByEndpoint.get(host.self());
      if (reason != null && Cassandra50.causeOf(reason) == FailureCause.REPLICA) {
        traffic.onOwnReadFailed(kind(statement));
      }
    } catch (Throwable e) {
      guard.failed("looking at a read that failed", e);
    }
  }

  // Of all that reads, Cassandra makes range reads of these only.
  private static ReadKind kind(CQLStatement statement) {
    return statement instanceof SelectStatement
            && ((SelectStatement) statement).getRestrictions().isKeyRange()
        ? ReadKind.RANGE
        : ReadKind.POINT;
  }
}
