/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.curtail.selection.passing.Route;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A read that this coordinator sent to the second node, and that may go on to the third. */
abstract class CarrierParts extends CoordinatorParts {
  final Cassandra50Carrier carrier =
      new Cassandra50Carrier(reads, copies, null, parts.traffic, live, host, parts.counts, guard);

  /** Whether all messages are lost on the way. */
  boolean allAreLost = true;

  /** Where messages went. */
  final List<InetAddressAndPort> sent = new CopyOnWriteArrayList<>();

  final List<Message<?>> messages = new CopyOnWriteArrayList<>();
  final Waiting waiting = new Waiting();
  Message<?> message;
  CarriedRead read;
  private final BiPredicate<Message<?>, InetAddressAndPort> nothingLeaves = this::leaves;

  /** What waits for the answers of the request. */
  static final class Waiting implements RequestCallback<Object> {
    final List<InetAddressAndPort> answered = new CopyOnWriteArrayList<>();
    final List<InetAddressAndPort> failed = new CopyOnWriteArrayList<>();

    @Override
    public void onResponse(Message<Object> answer) {
      answered.add(answer.from());
    }

    @Override
    public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
      failed.add(from);
    }

    @Override
    public boolean invokeOnFailure() {
      return true;
    }

    @Override
    public boolean trackLatencyForSnitch() {
      return true;
    }
  }

  private boolean leaves(Message<?> sending, InetAddressAndPort to) {
    sent.add(to);
    messages.add(sending);
    onLeaving(sending, to);
    return !allAreLost;
  }

  void onLeaving(Message<?> sending, InetAddressAndPort to) {}

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  @BeforeEach
  void carry() {
    host.now = MonotonicClock.Global.preciseTime.now();
    live.set(Map.of("mode", "rank", "passing", "on", "copies_percent", "2"));
    for (int node = 2; node <= 3; node++) {
      live.policy().peers().of(address(node)).takesCarriedReads = true;
    }
    carry(60_000);
    MessagingService.instance().outboundSink.add(nothingLeaves);
  }

  /** Sends the read with that much time. */
  void carry(long millis) {
    MessagingService.instance().callbacks.unsafeClear();
    TableMetadata table =
        TableMetadata.builder("k", "carried", TableId.fromUUID(new UUID(1, 3)))
            .partitioner(new LocalPartitioner(Int32Type.instance))
            .addPartitionKeyColumn("id", Int32Type.instance)
            .build();
    SinglePartitionReadCommand command =
        SinglePartitionReadCommand.fullPartitionRead(
            table, 0, table.partitioner.decorateKey(Int32Type.instance.decompose(7)));
    message =
        Message.builder(Verb.READ_REQ, (Object) command)
            .withFlag(MessageFlag.CALL_BACK_ON_FAILURE)
            .withCreatedAt(host.now)
            .withExpiresAt(host.now + millis * 1_000_000)
            .from(address(1))
            .withId(77)
            .build();
    read =
        new CarriedRead(
            message.id(),
            command.partitionKey().getToken(),
            new Route(address(2), address(3)),
            0,
            message,
            waiting,
            message.expiresAtNanos());
    reads.onCarried(read);
    read.copyItself();
    MessagingService.instance().callbacks.addWithExpiration(waiting, message, address(2));
  }

  @AfterEach
  void forget() {
    MessagingService.instance().outboundSink.remove(nothingLeaves);
    MessagingService.instance().callbacks.unsafeClear();
  }

  /** What the replica sends that the read came to first. */
  Message<?> givenBack(long id) {
    return givenBack(id, address(2), read.route());
  }

  Message<?> givenBack(long id, InetAddressAndPort by, Route route) {
    byte[] load = FeedbackCodec.encode(new Feedback(9, 32, 32, 1));
    byte[] back = CarrierCodec.encodeReturn(id, 1, route, load);
    return Message.builder(Verb._TEST_2, NoPayload.noPayload)
        .from(by)
        .withExpiresAt(message.expiresAtNanos())
        .withCustomParam(Cassandra50CarriedMessages.RETURN, back)
        .build();
  }
}
