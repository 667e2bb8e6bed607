/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.curtail.selection.passing.PassingRule;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.tracing.TraceState;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * Carried reads at a replica: each is put into the read stage as the plain read that it stands for,
 * or given back to its coordinator before it waits. Thread-safe.
 */
final class Cassandra50CarriedArrivals {
  /** More go through Cassandra's own back-pressure, as plain reads. */
  private static final int MAX_WAITING = 4_096;

  private final PassedReads reads;
  private final LiveSettings live;
  private final Host host;
  private final Counts counts;
  private final Guard guard;

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  private final ThreadLocal<Long> serving = new ThreadLocal<>();

  Cassandra50CarriedArrivals(
      PassedReads reads, LiveSettings live, Host host, Counts counts, Guard guard) {
    this.reads = reads;
    this.live = live;
    this.host = host;
    this.counts = counts;
    this.guard = guard;
  }

  /** A read came in this message. */
  void arrive(Message<?> message, byte[] bytes) {
    try {
      CarrierCodec.Arrival arrival = decode(bytes);
      Feedback stage = host.readStage(false, serviceNanos());
      if (stage.waiting() > MAX_WAITING) {
        throw new RefusedException("too many reads wait");
      }
      Message<?> read = plain(message, arrival);
      int next = reads.admit(arrival.route, arrival.place, arrival.terms, () -> enqueue(read));
      if (next != PassingRule.ACCEPT) {
        giveBack(message, next, arrival, FeedbackCodec.encode(stage));
      }
    } catch (Throwable e) {
      // The coordinator sends the plain read, which fails as it does on a stock node.
      if (!(e instanceof IOException) && !(e instanceof RefusedException)) {
        guard.failed("taking a read", e);
      }
      MessagingService.instance().inboundSink.fail(message.header, e);
    }
  }

  private long serviceNanos() {
    return Math.max(0, (long) live.policy().peers().of(host.self()).point.serviceTimeNanos());
  }

  private void giveBack(
      Message<?> message, int next, CarrierCodec.Arrival arrival, byte[] feedback) {
    // Not under the read's id: this node may have a callback of its own under that.
    Cassandra50CarriedMessages.send(
        Message.builder(message)
            .from(host.self())
            .withFlags(0)
            .withoutParam(ParamType.CUSTOM_MAP) // the read, and what others said of it
            .build(),
        0,
        message.from(),
        Cassandra50CarriedMessages.RETURN,
        CarrierCodec.encodeReturn(message.id(), next, arrival.route, feedback));
    Cassandra50CarriedMessages.endTrace(message);
  }

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException(String why) {
      super(why, null, false, false);
    }
  }

  // Its coordinator may be of another version.
  private static CarrierCodec.Arrival decode(byte[] bytes) {
    try {
      return CarrierCodec.decode(bytes);
    } catch (RuntimeException e) {
      throw new RefusedException("what came with the read is not understood: " + e);
    }
  }

  // The schema may be changing: Cassandra throws what it likes at a column that it does not know.
  private static Message<?> plain(Message<?> message, CarrierCodec.Arrival arrival)
      throws IOException {
    try {
      return Cassandra50CarriedMessages.plain(message, arrival);
    } catch (RuntimeException e) {
      throw new RefusedException("the read is not understood: " + e);
    }
  }

  /** Puts a read into the read stage, as its message would be. */
  void enqueue(Message<?> read) {
    TraceState trace = Cassandra50CarriedMessages.trace(read);
    if (trace != null) {
      trace.trace("{} message received from {}", read.verb(), read.from());
    }
    Stage.READ.execute(ExecutorLocals.create(trace), () -> serve(read));
  }

  // As Cassandra's own task for a message that waited.
  private void serve(Message<?> read) {
    long now = MonotonicClock.Global.approxTime.now();
    long waited = now - read.createdAtNanos();
    MessagingService messaging = MessagingService.instance();
    messaging.metrics.recordInternalLatency(Verb.READ_REQ, waited, TimeUnit.NANOSECONDS);
    if (MonotonicClock.Global.approxTime.isAfter(now, read.expiresAtNanos())) {
      counts.keptTooLong.increment();
      messaging.metrics.recordDroppedMessage(read, waited, TimeUnit.NANOSECONDS);
      return;
    }
    serving.set(read.id());
    try {
      messaging.inboundSink.accept(read);
    } finally {
      serving.remove();
    }
  }

  /** Returns whether the failure that is about to be sent was sent with what must be said of it. */
  boolean answersFailure(Message<?> message, InetAddressAndPort to) {
    Long id = serving.get();
    if (id == null || id != message.id()) {
      return false;
    }
    serving.remove(); // it comes by again
    MessagingService.instance()
        .send(
            Cassandra50CarriedMessages.withParameter(
                message,
                Cassandra50CarriedMessages.SERVED,
                Cassandra50CarriedMessages.THIS_VERSION),
            to);
    return true;
  }

  /** Says in the parameters of an answer that this node takes carried reads, if it does. */
  Map<String, byte[]> advertise(Map<String, byte[]> parameters) {
    return live.passing() == Passing.ON
        ? Cassandra50CarriedMessages.with(
            parameters, Cassandra50CarriedMessages.TAKES, Cassandra50CarriedMessages.THIS_VERSION)
        : parameters;
  }
}
