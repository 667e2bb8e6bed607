/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.passing.Route;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a carried read is worth serving, and how many may wait, at its replica. */
class CarriedArrivalsTest extends ArrivalParts {
  private static final long TIMEOUT_MILLIS = 5_000;
  private static final long MILLI = 1_000_000;

  /** As its coordinator made it. */
  private static Message<ReadCommand> read(long createdAtNanos) {
    ReadCommand command =
        SinglePartitionReadCommand.fullPartitionRead(
            TABLE, 0, TABLE.partitioner.decorateKey(Int32Type.instance.decompose(7)));
    return Message.builder(Verb.READ_REQ, command)
        .withFlag(MessageFlag.CALL_BACK_ON_FAILURE)
        .withCreatedAt(createdAtNanos)
        .withExpiresAt(createdAtNanos + TIMEOUT_MILLIS * MILLI)
        .from(address(2))
        .withId(5)
        .build();
  }

  private Message<?> carried(Message<?> read, CarriedTerms terms) {
    return carried(read, encoded(read, terms));
  }

  private static byte[] encoded(Message<?> read, CarriedTerms terms) {
    Route route = new Route(address(1), address(3));
    return Cassandra50Carrier.encode(read, route, 0, terms, address(1));
  }

  private Message<?> carried(Message<?> read, byte[] bytes) {
    Cassandra50CarriedMessages.send(
        read, read.id(), address(1), Cassandra50CarriedMessages.READ, bytes);
    return sent.remove(0);
  }

  /** What comes of a message of a node whose clock is that far from this one's. */
  private static Message<?> received(Message<?> message, long clockMillis) throws IOException {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      Message.serializer.serialize(message, out, MessagingService.current_version);
      ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
      int created = 1; // behind the id, which is small
      bytes.putInt(created, (int) (bytes.getInt(created) + clockMillis));
      try (DataInputBuffer in = new DataInputBuffer(bytes.array())) {
        return Message.serializer.deserialize(in, message.from(), MessagingService.current_version);
      }
    }
  }

  private static long now() {
    return MonotonicClock.Global.approxTime.now();
  }

  private static void assertCreated(Message<?> message, Message<?> notBefore, Message<?> notAfter) {
    assertThat(message.createdAtNanos())
        .isBetween(notBefore.createdAtNanos(), notAfter.createdAtNanos());
    assertThat(message.expiresAtNanos() - message.createdAtNanos())
        .isEqualTo(TIMEOUT_MILLIS * MILLI);
  }

  /** More than a quarter of an hour is too much for Cassandra to believe. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3_000, -3_000, 600_000, -600_000, 7_200_000, -7_200_000})
  void should_have_as_much_time_as_a_plain_read_when_clocks_differ(long clockMillis)
      throws IOException {
    Message<ReadCommand> read = read(now() - 700 * MILLI);
    Message<?> carrier = carried(read, CarriedTerms.MAY_LEAVE);
    Message<?> before = received(read, clockMillis);
    Message<?> came = received(carrier, clockMillis);
    Message<?> after = received(read, clockMillis);
    assertCreated(came, before, after);

    Message<?> plain =
        Cassandra50CarriedMessages.plain(
            came,
            CarrierCodec.decode(
                Cassandra50CarriedMessages.parameter(came, Cassandra50CarriedMessages.READ)));
    assertThat(plain.verb()).isEqualTo(Verb.READ_REQ);
    assertThat(plain.from()).isEqualTo(read.from());
    assertThat(plain.id()).isEqualTo(read.id());
    assertThat(plain.header.params()).isEqualTo(before.header.params());
    assertCreated(plain, came, came);
  }

  @Test
  void should_keep_the_custom_parameters_of_others_when_a_read_is_carried() throws IOException {
    Message<ReadCommand> read =
        Message.builder(read(now())).withCustomParam("other", new byte[] {1, 2}).build();
    Message<?> came = received(carried(read, CarriedTerms.MAY_LEAVE), 0);
    assertThat(carrier.receives(came)).isTrue();
    eventually(() -> assertThat(served).hasSize(1));
    assertThat(served.get(0).header.customParams()).containsOnlyKeys("other");
    assertThat(Cassandra50CarriedMessages.parameter(served.get(0), "other")).containsExactly(1, 2);
  }

  @Test
  void should_not_send_a_read_itself_back() throws IOException {
    Message<ReadCommand> read =
        Message.builder(read(now())).withCustomParam("other", new byte[1]).build();
    host.activeReads = 32;
    assertThat(carrier.receives(received(carried(read, CarriedTerms.AT_ONCE), 0))).isTrue();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).header.customParams())
        .containsOnlyKeys(Cassandra50CarriedMessages.RETURN);
  }

  /** By its coordinator's clock it is as old as the read, whatever the replica's clock says. */
  @ParameterizedTest
  @ValueSource(longs = {0, 600_000, -600_000})
  void should_come_back_with_the_time_that_it_came_with_when_clocks_differ(long clockMillis)
      throws IOException {
    Message<ReadCommand> read = read(now() - 700 * MILLI);
    Message<?> came = received(carried(read, CarriedTerms.AT_ONCE), clockMillis);
    host.activeReads = 32;
    assertThat(carrier.receives(came)).isTrue();
    assertThat(sent).hasSize(1);
    Message<?> back = received(sent.get(0), -clockMillis);
    assertThat(Math.abs(back.createdAtNanos() - read.createdAtNanos())).isLessThan(700 * MILLI);
    assertThat(back.expiresAtNanos() - back.createdAtNanos()).isEqualTo(TIMEOUT_MILLIS * MILLI);
  }

  @Test
  void should_not_serve_a_read_when_its_time_is_over() {
    int dropped = dropped();
    Message<?> late = read(now() - (TIMEOUT_MILLIS + 60_000) * MILLI);
    assertThat(carrier.receives(carried(late, CarriedTerms.STAYS))).isTrue();
    eventually(() -> assertThat(parts.counts.keptTooLong.sum()).isEqualTo(1));
    eventually(() -> assertThat(dropped()).isEqualTo(dropped + 1));
    assertThat(served).isEmpty();
    assertThat(sent).isEmpty();

    assertThat(carrier.receives(carried(read(now()), CarriedTerms.MAY_LEAVE))).isTrue();
    eventually(() -> assertThat(served).extracting(Message::id).containsExactly(5L));
    assertThat(dropped()).isEqualTo(dropped + 1);
    assertThat(parts.counts.keptTooLong.sum()).isEqualTo(1);
  }

  /** Among the reads that Cassandra itself drops. */
  private static int dropped() {
    return MessagingService.instance().metrics.getDroppedMessages().get(Verb.READ_REQ.toString());
  }

  /** Nothing that waits in the read stage holds up the connection that it came by. */
  @Test
  void should_refuse_a_read_when_so_many_wait_that_a_plain_one_would_be_held_up() {
    host.activeReads = 32;
    host.waitingReads = 4_097;
    assertThat(carrier.receives(carried(read(now()), CarriedTerms.MAY_LEAVE))).isTrue();
    assertRefused();
  }

  private void assertRefused() {
    assertThat(sent).extracting(Message::verb).containsExactly(Verb.FAILURE_RSP);
    assertThat(sent.get(0).id()).isEqualTo(5);
    assertThat(Cassandra50CarriedMessages.parameter(sent.get(0), Cassandra50CarriedMessages.SERVED))
        .isNull();
    assertThat(served).isEmpty();
  }

  /** While a cluster is upgraded. That is no fault of this node, which counts none. */
  @Test
  void should_refuse_a_read_that_a_coordinator_of_another_version_sends() {
    Message<ReadCommand> read = read(now());
    byte[] bytes = encoded(read, CarriedTerms.MAY_LEAVE);
    bytes[0] = 3;
    assertThat(carrier.receives(carried(read, bytes))).isTrue();
    assertRefused();
  }
}
