/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.passing.Route;
import java.util.List;
import org.junit.jupiter.api.Test;

/** At QUORUM two answers of one replica would count as those of two. */
class CarriedReadTest {
  private static final long EXPECTED = 60_000_000_000L;

  private final Object callback = new Object();
  private final Route route = new Route(address(2), address(3));
  private final CarriedRead read = new CarriedRead(7, "token", route, 0, null, callback, 0);

  @Test
  void should_ask_another_when_the_request_asks_the_replica_that_has_the_read() {
    read.moveTo(1);
    assertThat(read.ask(address(3))).isEqualTo(address(2));
    assertThat(read.next(route, 0)).isEqualTo(1);
  }

  /** Which has said that the retry would wait there. */
  @Test
  void should_ask_the_replica_that_gave_the_read_back_only_when_no_other_is_left() {
    CarriedRead passedOn = new CarriedRead(7, "token", three(), 0, null, callback, 0);
    passedOn.moveTo(1);
    assertThat(passedOn.ask(address(3))).isEqualTo(address(4));
    assertThat(passedOn.ask(address(3))).isEqualTo(address(2));
    assertThat(passedOn.ask(address(3))).isNull();
  }

  @Test
  void should_release_a_retry_to_a_replica_that_has_not_given_the_read_back() {
    CarriedRead passedOn = new CarriedRead(7, "token", three(), 0, null, callback, 0);
    passedOn.copyItself();
    passedOn.moveTo(1);
    assertThat(passedOn.askAgain("retry", address(3), replica -> true)).isNull();
    passedOn.endCopies();
    assertThat(passedOn.release()).isEqualTo(address(4));
  }

  private static Route three() {
    return new Route(address(2), address(3), address(4));
  }

  @Test
  void should_not_move_a_read_to_a_replica_when_the_request_asked_it() {
    assertThat(read.ask(address(3))).isEqualTo(address(3));
    assertThat(read.next(route, 1)).isZero();
  }

  @Test
  void should_ask_nobody_when_no_other_replica_is_left() {
    assertThat(read.ask(address(3))).isEqualTo(address(3));
    assertThat(read.ask(address(2))).isNull();
  }

  @Test
  void should_leave_replicas_alone_when_they_are_not_on_the_route() {
    assertThat(read.ask(address(9))).isEqualTo(address(9));
    assertThat(read.next(route, 1)).isEqualTo(1);
  }

  @Test
  void should_offer_only_replicas_that_the_request_does_not_ask() {
    FakeHost host = new FakeHost();
    Peers peers = new Peers(host, LoadSettings.PAPER, now -> null);
    Peer[] order = takingCarriedReads(peers, 3);
    PassingPlan plan = new PassingPlan("token", order, -1, false);
    assertThat(PassedReads.route(plan, 1, host.now).size()).isEqualTo(3);
    Route quorum = PassedReads.route(plan, 2, host.now);
    assertThat(quorum.size()).isEqualTo(2);
    assertThat(quorum.replica(0)).isEqualTo(address(2));
    assertThat(quorum.replica(1)).isEqualTo(address(4));
    assertThat(PassedReads.route(plan, 3, host.now)).isNull();
  }

  private static Peer[] takingCarriedReads(Peers peers, int count) {
    Peer[] order = new Peer[count];
    for (int i = 0; i < count; i++) {
      order[i] = peers.of(address(2 + i));
      order[i].takesCarriedReads = true;
    }
    return order;
  }

  /** As {@code system_auth} has in large clusters. */
  @Test
  void should_offer_no_more_replicas_than_a_message_can_name() {
    Peers peers = new Peers(new FakeHost(), LoadSettings.PAPER, now -> null);
    Peer[] order = takingCarriedReads(peers, 40);
    Route route = PassedReads.route(new PassingPlan("token", order, -1, false), 1, 0);
    assertThat(route.size()).isEqualTo(CarrierCodec.MAX_REPLICAS);
    CarrierCodec.Arrival sent =
        new CarrierCodec.Arrival(route, 29, CarriedTerms.MAY_LEAVE, 12, new byte[1]);
    assertThat(CarrierCodec.decode(CarrierCodec.encode(sent)).route.size()).isEqualTo(30);
  }

  /** It cannot say that it is worse than those that do. */
  @Test
  void should_not_offer_a_replica_that_is_silent_when_it_owes_an_answer() {
    FakeHost host = new FakeHost();
    Peers peers = new Peers(host, LoadSettings.PAPER, now -> null);
    Peer[] order = takingCarriedReads(peers, 3);
    Peer silent = order[2];
    silent.reads.onSent(1, ReadKind.POINT, false, host.now);
    silent.reads.onAnswered(1, ReadKind.POINT, null, host.now + 1_000_000);
    silent.reads.onSent(2, ReadKind.POINT, false, host.now + 1_000_000);
    PassingPlan plan = new PassingPlan("token", order, -1, false);
    assertThat(PassedReads.route(plan, 2, host.now + 8_000_000).placeOf(address(4))).isEqualTo(1);

    long late = host.now + 10_000_000;
    assertThat(PassedReads.route(plan, 2, late)).isNull();
    Route one = PassedReads.route(plan, 1, late);
    assertThat(one.size()).isEqualTo(2);
    assertThat(one.placeOf(address(3))).isEqualTo(1);

    silent.reads.onAnswered(2, ReadKind.POINT, null, late);
    assertThat(PassedReads.route(plan, 1, late).size()).isEqualTo(3);
  }

  @Test
  void should_copy_to_a_replica_that_has_neither_the_read_nor_a_copy() {
    assertThat(read.copyTo(open -> open)).isEqualTo(address(3));
    assertThat(read.hasCopyAt(address(3))).isTrue();
    assertThat(read.copyTo(open -> open)).isNull();
    assertThat(read.next(route, 1)).isZero();
    assertThat(read.ask(address(3))).isNull();
  }

  @Test
  void should_neither_copy_nor_ask_its_replica_again_when_it_left_as_an_ordinary_read() {
    read.copyItself();
    read.moveTo(1);
    read.abandonTo(address(2));
    assertThat(read.isDue()).isFalse();
    assertThat(read.copyTo(open -> open)).isNull();
    assertThat(read.ask(address(2))).isEqualTo(address(3));
  }

  @Test
  void should_not_copy_to_a_replica_when_the_request_asked_it() {
    assertThat(read.ask(address(3))).isEqualTo(address(3));
    assertThat(read.copyTo(open -> open)).isNull();
  }

  @Test
  void should_copy_again_to_another_first_when_a_copy_came_back() {
    Route three = new Route(address(2), address(3), address(4));
    CarriedRead wide = new CarriedRead(7, "token", three, 0, null, callback, 0);
    assertThat(wide.copyTo(open -> open)).isEqualTo(address(3));
    wide.copyCameBack(address(3));
    assertThat(wide.copyTo(open -> open)).isEqualTo(address(4));
    wide.copyCameBack(address(4));
    assertThat(wide.copyTo(open -> open)).isEqualTo(address(3));
  }

  @Test
  void should_tell_the_copys_work_when_both_answered_whoever_was_first() {
    assertThat(read.isDue()).isTrue();
    assertThat(read.copyTo(open -> open)).isEqualTo(address(3));
    assertThat(read.answered(address(3), 5)).isNegative();
    assertThat(read.wonByCopy()).isTrue();
    assertThat(read.isDue()).isFalse();
    assertThat(read.isOver()).isFalse();
    assertThat(read.answered(address(2), 9)).isEqualTo(5);
    assertThat(read.isOver()).isTrue();
  }

  @Test
  void should_keep_cassandras_own_copy_back_only_while_one_of_its_own_is_possible() {
    assertThat(read.copiesItself(replica -> true)).isFalse();
    read.copyItself();
    assertThat(read.copiesItself(replica -> false)).isFalse();
    assertThat(read.copiesItself(replica -> true)).isTrue();
    assertThat(read.copyTo(open -> open)).isEqualTo(address(3));
    assertThat(read.copiesItself(replica -> false)).isTrue();
  }

  @Test
  void should_not_keep_cassandras_own_copy_back_when_it_gets_no_more_of_its_own() {
    read.copyItself();
    read.endCopies();
    assertThat(read.copiesItself(replica -> true)).isFalse();
    assertThat(read.hasOwnCopies()).isTrue();
  }

  @Test
  void should_keep_cassandras_own_copy_until_a_replica_is_free_for_it() {
    read.copyItself();
    assertThat(read.copyTo(open -> open)).isEqualTo(address(3));
    assertThat(read.answered(address(2), 5)).isNegative();
    assertThat(read.askAgain("retry", address(3), replica -> true)).isNull();
    assertThat(read.release()).isNull();
    read.copyCameBack(address(3));
    assertThat(read.release()).isEqualTo(address(3));
    assertThat(read.released()).isEqualTo("retry");
  }

  /** Two answers of one replica must not make a quorum. */
  @Test
  void should_never_ask_a_replica_again_when_it_has_answered_a_copy() {
    read.copyItself();
    assertThat(read.copyTo(open -> open)).isEqualTo(address(3));
    assertThat(read.askAgain("retry", address(3), replica -> true)).isNull();
    assertThat(read.answered(address(3), 5)).isNegative();
    assertThat(read.release()).isNull();
    assertThat(read.ask(address(3))).isNull();
    assertThat(read.next(route, 1)).isZero();
    assertThat(read.hasHeldBack()).isTrue();
  }

  @Test
  void should_tell_where_a_sampled_read_went_and_who_answered() {
    CarriedRead read =
        new CarriedRead(
            7, "token", new Route(address(2), address(3), address(4)), 0, null, new Object(), 0);
    Journey journey = new Journey();
    read.follow(journey);
    read.moveTo(1);
    assertThat(read.copyTo(open -> List.of(address(4)))).isEqualTo(address(4));
    assertThat(read.answered(address(4), 1)).isNegative();
    assertThat(read.answered(address(3), 1)).isNotNegative();
    assertThat(journey.toString().replaceAll(":\\d+ \\+\\d+\\.\\d ms", ""))
        .isEqualTo(
            "to 127.0.0.2, passed on to 127.0.0.3, copy to 127.0.0.4, copy answered by 127.0.0.4,"
                + " in vain by 127.0.0.3");
  }

  @Test
  void should_tell_what_a_read_gained_that_came_back() {
    assertThat(read.takePassingGainNanos()).isZero();
    long before = System.nanoTime();
    Route learned = new Route(address(2), address(3));
    learned.note(0, EXPECTED, 0);
    read.moveTo(read.next(learned, 1));
    assertThat(read.answered(address(3), 1)).isNegative();
    long took = System.nanoTime() - before;
    assertThat(read.takePassingGainNanos()).isBetween(EXPECTED - took, EXPECTED);
    assertThat(read.takePassingGainNanos()).as("once").isZero();
  }

  /** What it was expected to take where it came last says nothing of what passing saved. */
  @Test
  void should_tell_what_a_read_gained_by_where_it_came_first() {
    long before = System.nanoTime();
    Route sentAway = new Route(address(1), address(2), address(3));
    sentAway.note(1, 20 * EXPECTED, 0); // by what this node knew, which is no place it was at
    CarriedRead own = new CarriedRead(7, "token", sentAway, 1, null, callback, 0);
    own.leaves(EXPECTED);
    Route learned = new Route(address(1), address(2), address(3));
    learned.note(1, 10 * EXPECTED, 0);
    own.moveTo(own.next(learned, 2));
    assertThat(own.answered(address(3), 1)).isNegative();
    long took = System.nanoTime() - before;
    assertThat(own.takePassingGainNanos()).isBetween(EXPECTED - took, EXPECTED);
  }

  @Test
  void should_tell_by_how_much_a_copy_was_first() throws InterruptedException {
    long before = System.nanoTime();
    assertThat(read.copyTo(open -> open)).isEqualTo(address(3));
    assertThat(read.answered(address(3), 1)).isNegative();
    assertThat(read.takeCopyGainNanos()).isZero();
    Thread.sleep(2);
    assertThat(read.answered(address(2), 1)).isNotNegative();
    assertThat(read.takeCopyGainNanos()).isBetween(2_000_000L, System.nanoTime() - before);
    assertThat(read.takeCopyGainNanos()).as("once").isZero();
  }
}
