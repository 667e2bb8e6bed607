/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.passing.Route;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaPlan;
import org.apache.cassandra.locator.ReplicaPlan.ForTokenRead;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.junit.jupiter.api.Test;

/** Carried reads at their coordinator, with Cassandra's own table of callbacks. */
class CarrierTest extends CarrierParts {
  private static final long RETRY = 79;
  private static final Route THREE = new Route(address(2), address(3), address(4));

  private final AtomicLong triesBeforeRetry = new AtomicLong(-1);
  private volatile boolean copiesComeBack;

  @Override
  void onLeaving(Message<?> sending, InetAddressAndPort to) {
    if (sending.id() == RETRY) {
      triesBeforeRetry.compareAndSet(-1, tries());
    } else if (copiesComeBack) {
      carrier.receives(givenBack(77, to, THREE));
    }
  }

  private long tries() {
    Counts counts = parts.counts;
    return counts.copiesSent.sum()
        + counts.copiesHeld.sum()
        + counts.copiesCongested.sum()
        + counts.copiesNowhere.sum();
  }

  /** To Cassandra a failure more than the request has replicas to spare is the end of it. */
  @Test
  void should_end_only_the_copy_when_its_message_is_dropped_on_the_way() {
    carrier.sendCopy(read);
    assertThat(sent).containsExactly(address(3));
    assertThat(read.hasCopyAt(address(3))).isTrue();
    Peer peer = live.policy().peers().of(address(3));
    assertThat(peer.outstanding()).isEqualTo(1);

    MessagingService.instance().callbacks.onOverloaded(message, address(3));
    eventually(() -> assertThat(read.hasCopyAt(address(3))).isFalse());
    assertThat(waiting.failed).isEmpty();
    eventually(() -> assertThat(peer.outstanding()).isZero());

    MessagingService.instance().callbacks.onOverloaded(message, address(2));
    eventually(() -> assertThat(waiting.failed).containsExactly(address(2)));
  }

  /** Those that its coordinator ranked when the read left may have slowed down since. */
  @Test
  void should_send_a_copy_to_the_replica_that_is_best_when_it_is_due() {
    CarriedRead wide =
        new CarriedRead(78, read.token, THREE, 0, message, waiting, message.expiresAtNanos());
    answers(3, 900_000_000);
    answers(4, 1_000_000);
    carrier.sendCopy(wide);
    assertThat(sent).containsExactly(address(4));
    carrier.sendCopy(wide);
    assertThat(sent).containsExactly(address(4), address(3));
  }

  private void answers(int node, long afterNanos) {
    Peer peer = live.policy().peers().of(address(node));
    peer.takesCarriedReads = true;
    peer.reads.onSent(1, ReadKind.POINT, false, host.now - afterNanos);
    peer.reads.onAnswered(1, ReadKind.POINT, new Feedback(0, 1, 32, afterNanos), host.now);
  }

  @Test
  void should_count_a_copy_only_when_it_leaves() {
    Route own = new Route(address(2), host.self());
    CarriedRead busy =
        new CarriedRead(78, read.token, own, 0, message, waiting, message.expiresAtNanos());
    host.activeReads = host.slots;
    carrier.sendCopy(busy);
    assertThat(busy.hasCopyAt(host.self())).isFalse();
    assertThat(parts.counts.copiesGivenBack.sum()).isEqualTo(1);
    assertThat(parts.counts.copiesSent.sum()).isZero();
    carrier.sendCopy(read);
    assertThat(sent).containsExactly(address(3));
    assertThat(parts.counts.copiesSent.sum()).isEqualTo(1);
  }

  @Test
  void should_hand_over_the_answer_of_a_copy() {
    carrier.sendCopy(read);
    Message<?> answer = Message.builder(message).ofVerb(Verb.READ_RSP).from(address(3)).build();
    MessagingService.instance().callbacks.removeAndRespond(message.id(), address(3), answer);
    assertThat(waiting.answered).containsExactly(address(3));
  }

  /** A node that paused would burst: its answers of before wait in its sockets. */
  @Test
  void should_not_send_a_read_on_when_its_request_is_over() {
    ReadCallback<EndpointsForToken, ForTokenRead> over = readCallback();
    waitedForBy(over);
    over.onFailure(address(2), RequestFailureReason.TIMEOUT);

    carrier.receives(givenBack(78));
    assertThat(sent).isEmpty();
    assertThat(parts.counts.passedTooLate.sum()).isEqualTo(1);
    assertThat(reads.at(address(2), 78)).isNull();
    assertThat(guard.errors()).isZero();
  }

  @Test
  void should_send_a_read_on_while_its_request_waits() {
    carrier.receives(givenBack(77));
    assertThat(sent).containsExactly(address(3));
    assertThat(guard.errors()).isZero();
  }

  @Test
  void should_send_no_copy_when_the_request_is_over_or_its_time_is() {
    ReadCallback<EndpointsForToken, ForTokenRead> over = readCallback();
    over.onFailure(address(2), RequestFailureReason.TIMEOUT);
    carrier.sendCopy(
        new CarriedRead(78, read.token, THREE, 0, message, over, message.expiresAtNanos()));
    host.now = message.expiresAtNanos();
    carrier.sendCopy(read);
    assertThat(sent).isEmpty();
    assertThat(read.isDue()).isFalse();
  }

  /** Cassandra's own retry must find the other's answer, or leave. */
  @Test
  void should_know_of_its_copy_when_the_read_has_failed() {
    Route two = new Route(address(2), address(3));
    carrier.sendCopy(read);
    holdBack(read);
    assertThat(carrier.wasRefused(failure(2, true))).isFalse();
    assertThat(read.isDue()).isFalse();
    assertThat(reads.at(address(3), 77)).isSameAs(read);

    carrier.receives(givenBack(77, address(3), two));
    assertThat(sent).containsExactly(address(3), address(3));
    assertThat(parts.counts.retriesReleased.sum()).isEqualTo(1);
    assertThat(reads.at(address(3), 77)).isNull();
    assertThat(guard.errors()).isZero();
  }

  @Test
  void should_send_a_read_that_fails_as_a_plain_one_only_once() {
    live.policy().peers().of(address(3)).takesCarriedReads = false;
    carrier.receives(givenBack(77));
    assertThat(sent).containsExactly(address(3));
    assertThat(carrier.wasRefused(failure(3, false))).isFalse();
    assertThat(sent).containsExactly(address(3));
  }

  /** Its header would not fit in the first frame of the connection, which breaks at that. */
  @Test
  void should_send_a_long_read_as_a_plain_one_and_copy_it_nowhere() {
    Object[] many = new Object[2_000];
    many[0] = address(2);
    for (int i = 1; i < many.length; i++) {
      many[i] = address(3);
    }
    Route route = new Route(many);
    CarriedRead wide =
        new CarriedRead(77, read.token, route, 0, message, waiting, message.expiresAtNanos());
    carrier.send(wide, route, 1, address(3), CarriedTerms.MAY_LEAVE);
    carrier.sendCopy(wide);
    assertThat(parts.counts.copiesSent.sum()).isZero();
    assertThat(sent).containsExactly(address(3));
    assertThat(messages).extracting(Message::verb).containsExactly(Verb.READ_REQ);
    assertThat(wide.isDue()).isFalse();
  }

  private void holdBack(CarriedRead of) {
    Message<?> retry = Message.builder(message).withId(RETRY).build();
    assertThat(of.askAgain(retry, address(3), replica -> true)).isNull();
  }

  /** Which a replica answers that reads more tombstones than a read may. */
  @Test
  void should_end_only_the_copy_when_its_replica_answers_that_it_reads_too_much() {
    carrier.sendCopy(read);
    carrier.answered(tooMuch(3), null);
    assertThat(read.hasCopyAt(address(3))).isFalse();
    assertThat(MessagingService.instance().callbacks.remove(77, address(3))).isNull();
    assertThat(MessagingService.instance().callbacks.remove(77, address(2))).isNotNull();
    assertThat(read.isDue()).isTrue();
    assertThat(parts.counts.copiesInVain.sum()).isEqualTo(1);

    carrier.sendCopy(read);
    assertThat(sent).containsExactly(address(3));
    assertThat(parts.counts.copiesNowhere.sum()).isEqualTo(1);
    assertThat(read.copiesItself(replica -> true)).isFalse();
    assertThat(guard.errors()).isZero();
  }

  private Message<?> tooMuch(int node) {
    return Message.builder(message)
        .ofVerb(Verb.READ_RSP)
        .from(address(node))
        .withParam(ParamType.TOMBSTONE_FAIL, 100_000)
        .build();
  }

  /** The retry would be refused as the copy was, by another replica and later. */
  @Test
  void should_let_a_refused_copy_stand_for_the_retry_that_was_held_back() {
    carrier.sendCopy(read);
    holdBack(read);
    carrier.answered(tooMuch(3), null);
    assertStoodForRetry();
  }

  @Test
  void should_let_a_failed_copy_stand_for_the_retry_that_was_held_back() {
    carrier.sendCopy(read);
    holdBack(read);
    assertThat(carrier.wasRefused(failure(3, true))).isFalse();
    assertStoodForRetry();
  }

  private void assertStoodForRetry() {
    assertThat(MessagingService.instance().callbacks.remove(77, address(3)).callback)
        .isSameAs(waiting);
    carrier.giveUp(read);
    assertThat(sent).containsExactly(address(3));
    assertThat(guard.errors()).isZero();
  }

  /** Cassandra would compare it with the first, and read once more where they differ. */
  @Test
  void should_hand_over_no_answer_that_comes_when_the_request_is_over() {
    ReadCallback<EndpointsForToken, ForTokenRead> over = readCallback();
    CarriedRead late = waitedForBy(over);
    carrier.sendCopy(late);
    assertThat(sent).containsExactly(address(3));
    carrier.answered(answer(78, 3), null);
    over.onFailure(address(2), RequestFailureReason.TIMEOUT);
    carrier.answered(answer(78, 2), null);
    RequestCallback<?> waits =
        MessagingService.instance().callbacks.remove(78, address(2)).callback;
    assertThat(waits).isInstanceOf(Cassandra50LateCallback.class);
    assertThat(waits.trackLatencyForSnitch()).isTrue();
    assertThat(reads.at(address(2), 78)).isNull();
    assertThat(guard.errors()).isZero();
  }

  @Test
  void should_not_send_a_refused_read_again_when_its_request_is_over() {
    ReadCallback<EndpointsForToken, ForTokenRead> over = readCallback();
    CarriedRead late = waitedForBy(over);
    over.onFailure(address(2), RequestFailureReason.TIMEOUT);
    assertThat(
            carrier.wasRefused(
                Message.builder(message)
                    .ofVerb(Verb.FAILURE_RSP)
                    .withId(78)
                    .from(address(2))
                    .build()))
        .isTrue();
    assertThat(sent).isEmpty();
    assertThat(late.isOver()).isTrue();
    assertThat(MessagingService.instance().callbacks.remove(78, address(2))).isNull();
  }

  private CarriedRead waitedForBy(ReadCallback<?, ?> callback) {
    Message<?> sending = Message.builder(message).withId(78).build();
    CarriedRead late =
        new CarriedRead(
            78, read.token, read.route(), 0, sending, callback, message.expiresAtNanos());
    reads.onCarried(late);
    MessagingService.instance().callbacks.addWithExpiration(callback, sending, address(2));
    return late;
  }

  private Message<?> answer(long id, int node) {
    return Message.builder(message).ofVerb(Verb.READ_RSP).withId(id).from(address(node)).build();
  }

  private Message<?> failure(int node, boolean served) {
    Message.Builder<?> failure =
        Message.builder(message).ofVerb(Verb.FAILURE_RSP).from(address(node));
    return (served
            ? failure.withCustomParam(Cassandra50CarriedMessages.SERVED, new byte[0])
            : failure)
        .build();
  }

  /** Its own replica stands still, and none of the others has a free thread: one must queue. */
  @Test
  void should_let_cassandras_second_copy_go_when_every_replica_gave_two_copies_back() {
    learn();
    copiesComeBack = true;
    live.policy().peers().of(address(4)).takesCarriedReads = true;
    CarriedRead stuck =
        new CarriedRead(77, read.token, THREE, 0, message, waiting, message.expiresAtNanos());
    reads.onCarried(stuck);
    stuck.copyItself();
    holdBack(stuck);
    copies.follow(stuck, "a table", carrier);

    eventually(() -> assertThat(triesBeforeRetry.get()).isPositive());
    assertThat(triesBeforeRetry).hasValue(6);
    assertThat(stuck.copiesItself(replica -> true)).isFalse();
    assertThat(parts.counts.retriesReleased.sum()).isEqualTo(1);
    stuck.abandonTo(address(2));
    assertThat(guard.errors()).isZero();
  }

  /** By the reads of its table its next try would come when nobody waits for it any more. */
  @Test
  void should_let_cassandras_second_copy_go_within_its_time_when_the_first_copy_was_in_vain() {
    learn(TimeUnit.HOURS.toNanos(1));
    copiesComeBack = true;
    CarriedRead hastened =
        new CarriedRead(77, read.token, THREE, 0, message, waiting, message.expiresAtNanos());
    reads.onCarried(hastened);
    hastened.copyItself();
    holdBack(hastened);
    copies.follow(hastened, "a table", carrier);
    copies.hasten(hastened, carrier);

    eventually(() -> assertThat(parts.counts.retriesReleased.sum()).isEqualTo(1));
    assertThat(triesBeforeRetry).hasValue(1);
    hastened.abandonTo(address(2));
    assertThat(guard.errors()).isZero();
  }

  private void learn() {
    learn(0);
  }

  /** As many reads are answered as one of which may be slower than the rest. */
  private void learn(long tookNanos) {
    for (int i = 0; i < 50; i++) {
      CarriedRead known = new CarriedRead(i, "token", read.route(), 0, null, waiting, 0);
      known.copyItself(System.nanoTime() - tookNanos);
      known.tail = copies.tail("a table");
      copies.answered(known, null, known.answered(address(2), 0));
    }
  }

  /** Its answers would be late: it has given none since it was sent reads. */
  @Test
  void should_leave_a_read_where_it_is_when_the_replica_that_it_should_go_to_is_silent() {
    live.policy().peers().of(address(3)).reads.onSent(1, ReadKind.POINT, false, host.now);
    carrier.receives(givenBack(77));
    assertThat(sent).containsExactly(address(2));
    assertThat(parts.counts.passedNowhere.sum()).isEqualTo(1);
    assertThat(guard.errors()).isZero();
  }

  /** Of a request that one replica was asked for. */
  private ReadCallback<EndpointsForToken, ForTokenRead> readCallback() {
    SinglePartitionReadCommand command = (SinglePartitionReadCommand) message.payload;
    EndpointsForToken asked =
        EndpointsForToken.of(
            command.partitionKey().getToken(),
            Replica.fullReplica(
                address(2),
                new Range<Token>(
                    command.partitionKey().getToken(), command.partitionKey().getToken())));
    return new ReadCallback<>(
        null,
        command,
        ReplicaPlan.shared(new ForTokenRead(null, null, ConsistencyLevel.ONE, asked, asked)),
        RequestTime.forImmediateExecution());
  }
}
