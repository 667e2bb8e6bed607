/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.passing.Route;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.tracing.TraceState;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.utils.Closeable;
import org.apache.cassandra.utils.MonotonicClock;
import org.apache.cassandra.utils.TimeUUID;
import org.junit.jupiter.api.Test;

/**
 * Cassandra keeps the session of a trace at a node until all that came for it has been answered,
 * and gives it to what a request starts.
 */
@SuppressWarnings("try") // what is only opened and closed
class CarriedTraceTest extends ArrivalParts {
  private static final AtomicLong SESSIONS = new AtomicLong();
  private final TimeUUID session = new TimeUUID(SESSIONS.incrementAndGet(), 0);
  private final Route route = new Route(address(1), address(3));

  private <T> Message.Builder<T> traced(Verb verb, T payload) {
    return Message.builder(verb, payload)
        .from(address(2))
        .withExpiresAt(MonotonicClock.Global.preciseTime.now() + 60_000_000_000L)
        .withParam(ParamType.TRACE_SESSION, session)
        .withParam(ParamType.TRACE_TYPE, Tracing.TraceType.QUERY);
  }

  /** As a node that runs a message's handler at once. */
  private void arrives(Message<?> message) {
    TraceState state = Tracing.instance.initializeFromMessage(message.header);
    try (Closeable within = ExecutorLocals.create(state).get()) {
      assertThat(carrier.receives(message)).isTrue();
    }
  }

  private Message<?> carried() {
    SinglePartitionReadCommand command =
        SinglePartitionReadCommand.fullPartitionRead(
            TABLE, 0, TABLE.partitioner.decorateKey(Int32Type.instance.decompose(7)));
    byte[] bytes =
        Cassandra50Carrier.encode(
            Message.out(Verb._TEST_1, command, Long.MAX_VALUE),
            route,
            0,
            CarriedTerms.AT_ONCE,
            address(1));
    return traced(Verb._TEST_2, NoPayload.noPayload)
        .withId(5)
        .withCustomParam(Cassandra50CarriedMessages.READ, bytes)
        .build();
  }

  @Test
  void should_forget_a_session_when_its_carried_read_is_answered() {
    arrives(carried());
    eventually(() -> assertThat(served).hasSize(1));
    assertThat(Tracing.instance.get(session)).isNotNull();
    Message<?> answer = traced(Verb.READ_RSP, NoPayload.noPayload).withId(5).build();
    Tracing.instance.traceOutgoingMessage(answer, 1, address(2));
    assertThat(Tracing.instance.get(session)).isNull();
  }

  @Test
  void should_forget_a_session_when_its_read_is_given_back() {
    host.activeReads = 32;
    arrives(carried());
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).traceSession()).isEqualTo(session);
    assertThat(Tracing.instance.get(session)).isNull();
  }

  @Test
  void should_forget_a_session_when_a_read_comes_back_after_it_was_closed() {
    byte[] back = CarrierCodec.encodeReturn(5, 1, route, new byte[0]);
    arrives(
        traced(Verb._TEST_2, NoPayload.noPayload)
            .withCustomParam(Cassandra50CarriedMessages.RETURN, back)
            .build());
    assertThat(parts.counts.passedTooLate.sum()).isEqualTo(1);
    assertThat(Tracing.instance.get(session)).isNull();
  }

  @Test
  void should_keep_a_session_that_its_coordinator_has_not_closed_when_a_read_comes_back() {
    byte[] back = CarrierCodec.encodeReturn(5, 1, route, new byte[0]);
    Message<?> message =
        traced(Verb._TEST_2, NoPayload.noPayload)
            .withCustomParam(Cassandra50CarriedMessages.RETURN, back)
            .build();
    TraceState own = Tracing.instance.initializeFromMessage(message.header);
    arrives(message);
    assertThat(Tracing.instance.get(session)).isSameAs(own);
    Tracing.instance.doneWithNonLocalSession(own);
  }

  /** A trace would tell of the probe as of a read of its request. */
  @Test
  void should_do_nothing_within_the_trace_of_a_request_that_is_done_beside_it() {
    Message<?> message = traced(Verb.READ_REQ, NoPayload.noPayload).build();
    TraceState own = Tracing.instance.initializeFromMessage(message.header);
    List<TraceState> within = new CopyOnWriteArrayList<>();
    List<String> done = new CopyOnWriteArrayList<>();
    try (Closeable request = ExecutorLocals.create(own).get()) {
      Cassandra50Host.aside(
          () -> {
            if (Tracing.isTracing()) {
              within.add(Tracing.instance.get());
            }
            done.add(Thread.currentThread().getName());
          });
      assertThat(Tracing.instance.get()).isSameAs(own);
    }
    eventually(() -> assertThat(done).hasSize(1));
    assertThat(within).isEmpty();
    assertThat(done).doesNotContain(Thread.currentThread().getName());
    Tracing.instance.doneWithNonLocalSession(own);
  }
}
