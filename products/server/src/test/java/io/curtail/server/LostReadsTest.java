/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Carried reads of which a message is lost, or that would go where nobody has the data. */
class LostReadsTest extends CarrierParts {
  private static final long SOON_MILLIS = 2_000;

  @AfterEach
  void should_have_counted_no_error() {
    assertThat(guard.errors()).isZero();
  }

  @Test
  void should_end_a_read_by_cassandras_timeout_when_it_is_lost_or_its_return_is() {
    carry(SOON_MILLIS);
    eventually(() -> assertThat(waiting.failed).containsExactly(address(2)));

    carrier.receives(givenBack(77));
    MessagingService.instance().callbacks.removeAndRespond(77, address(2), answer(2));
    assertThat(parts.counts.passedTooLate.sum()).isEqualTo(1);
    assertThat(sent).isEmpty();
    assertThat(waiting.answered).isEmpty();
    assertThat(waiting.failed).hasSize(1);
  }

  @Test
  void should_end_a_read_once_when_it_is_lost_on_the_way_to_the_next_replica() {
    carry(SOON_MILLIS);
    carrier.receives(givenBack(77));
    assertThat(sent).containsExactly(address(3));
    eventually(() -> assertThat(waiting.failed).containsExactly(address(3)));

    carrier.receives(givenBack(77)); // again
    carrier.receives(givenBack(77, address(3), read.route()));
    assertThat(sent).containsExactly(address(3));
    assertThat(MessagingService.instance().callbacks.remove(77, address(2))).isNull();
    assertThat(MessagingService.instance().callbacks.remove(77, address(3))).isNull();
    assertThat(waiting.failed).hasSize(1);
  }

  @Test
  void should_forget_a_lost_read_when_nobody_waits_for_it_any_more() {
    reads.sweep(message.expiresAtNanos());
    assertThat(reads.at(address(2), 77)).isSameAs(read);
    reads.sweep(message.expiresAtNanos() + 1);
    assertThat(reads.at(address(2), 77)).isNull();
  }

  @Test
  void should_be_answered_by_its_copy_when_the_read_is_lost() {
    carrier.sendCopy(read);
    assertThat(sent).containsExactly(address(3));
    carrier.answered(answer(3), null);
    MessagingService.instance().callbacks.removeAndRespond(77, address(3), answer(3));
    assertThat(waiting.answered).containsExactly(address(3));
  }

  /** A replica's clock says when its message expires, and this node's when the read does. */
  @Test
  void should_send_a_read_on_with_the_time_that_it_left_with() {
    Message<?> back = givenBack(77);
    carrier.receives(
        Message.builder(back).withExpiresAt(back.expiresAtNanos() + 3_600_000_000_000L).build());
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0).verb()).isEqualTo(Cassandra50CarriedMessages.VERB);
    assertThat(messages.get(0).createdAtNanos()).isEqualTo(message.createdAtNanos());
    assertThat(messages.get(0).expiresAtNanos()).isEqualTo(message.expiresAtNanos());
  }

  /** Ranges move between nodes while reads are under way. */
  @Test
  void should_leave_a_read_where_it_is_when_the_next_replica_has_not_its_data_any_more() {
    host.strangers.add(address(3));
    carrier.receives(givenBack(77));
    assertThat(sent).containsExactly(address(2));
    assertThat(parts.counts.passedNowhere.sum()).isEqualTo(1);
  }

  @Test
  void should_send_no_copy_to_a_replica_that_has_not_its_data_any_more() {
    host.strangers.add(address(3));
    carrier.sendCopy(read);
    assertThat(sent).isEmpty();
    assertThat(read.hasCopyAt(address(3))).isFalse();
    assertThat(parts.counts.copiesSent.sum()).isZero();
    assertThat(MessagingService.instance().callbacks.remove(77, address(3))).isNull();
  }

  private Message<?> answer(int node) {
    return Message.builder(message).ofVerb(Verb.READ_RSP).from(address(node)).build();
  }
}
