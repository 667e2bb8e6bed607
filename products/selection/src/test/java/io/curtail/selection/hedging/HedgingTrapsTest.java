/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.selection.RandomSource;
import io.curtail.selection.hedging.Hedging.Verdict;
import org.junit.jupiter.api.Test;

/** What made second copies harmful elsewhere, each in simulated time. */
class HedgingTrapsTest {
  private static final double SHARE = 0.02;
  private static final long MILLISECOND = 1_000_000;

  private final Hedging hedging = new Hedging(SHARE);
  private final ReplicaTail slow = hedging.newTail();
  private final ReplicaTail quick = hedging.newTail();
  private final RandomSource random = RandomSource.seeded(3);
  private long now = 1_000 * MILLISECOND;
  private int requests;
  private int due;
  private int copies;

  /** A percentile of what copies have shortened would shorten, and make ever more copies. */
  @Test
  void should_not_shorten_the_delay_when_copies_win() {
    run(20_000, slow, 1, 1);
    due = 0;
    requests = 0;
    long before = slow.delayNanos();
    run(20_000, slow, 1, 0.01);
    assertThat((double) due / requests).isLessThan(0.03);
    assertThat((double) slow.delayNanos()).isBetween(0.5 * before, 2.0 * before);
  }

  @Test
  void should_copy_at_most_the_share_of_the_requests_when_nothing_is_wrong() {
    run(20_000, slow, 1, 1);
    copies = 0;
    requests = 0;
    run(20_000, slow, 1, 1);
    assertThat(copies).isPositive();
    assertThat((double) copies / requests).isLessThanOrEqualTo(1.1 * SHARE);
  }

  @Test
  void should_keep_to_the_budget_when_a_node_gets_a_hundred_times_slower() {
    run(5_000, slow, 1, 1);
    int before = copies;
    requests = 0;
    run(5_000, slow, 100, 1);
    assertThat(copies - before).isPositive();
    assertThat(copies - before).isLessThanOrEqualTo((int) (100 + SHARE * requests));
  }

  /** Copies of the requests to a slow node would make the next one slow. */
  @Test
  void should_give_a_node_no_more_copies_than_its_own_share_when_many_are_due() {
    run(2_000, slow, 1, 1);
    answers(quick, 2_000, 1);
    int given = 0;
    for (int i = 0; i < 1_000; i++) {
      if (hedging.verdict(quick, MILLISECOND, 10 * MILLISECOND) == Verdict.COPY) {
        hedging.sent(quick);
        given++;
      }
    }
    assertThat(given).isBetween(1, 100);
  }

  @Test
  void should_copy_nothing_while_all_nodes_are_slower_than_usual() {
    answers(slow, 2_000, 1);
    answers(quick, 2_000, 1);
    assertThat(hedging.verdict()).isEqualTo(Verdict.COPY);
    answers(slow, 500, 10);
    answers(quick, 500, 10);
    assertThat(hedging.verdict()).isEqualTo(Verdict.CONGESTED);
    answers(slow, 5_000, 1);
    answers(quick, 5_000, 1);
    assertThat(hedging.verdict()).isEqualTo(Verdict.COPY);
  }

  @Test
  void should_give_no_copy_to_a_node_that_is_slow_or_owes_an_answer_or_would_be_late() {
    answers(quick, 2_000, 1);
    long waited = 10 * MILLISECOND;
    assertThat(hedging.verdict(quick, 2 * MILLISECOND, waited)).isEqualTo(Verdict.COPY);
    assertThat(hedging.verdict(quick, 5 * MILLISECOND, waited)).isEqualTo(Verdict.NO_ROOM);
    assertThat(hedging.verdict(quick, MILLISECOND, MILLISECOND / 2)).isEqualTo(Verdict.TOO_EARLY);
    assertThat(hedging.verdict(hedging.newTail(), 0, waited)).isEqualTo(Verdict.NO_ROOM);
  }

  /** The slowest requests may be the largest: their copies cost most. */
  @Test
  void should_pay_for_what_a_copy_took_when_requests_differ_in_size() {
    answers(quick, 10_000, 1);
    int small = copiesUntilRefused(MILLISECOND, true);
    answers(quick, 10_000, 1);
    int large = copiesUntilRefused(10 * MILLISECOND, true);
    assertThat(large).isLessThan(small / 5);
  }

  /**
   * The way there is no work: else most would go to copies over it, and none be left for pauses.
   */
  @Test
  void should_pay_the_same_for_a_copy_that_goes_far() {
    ReplicaTail far = hedging.newTail();
    answers(far, 500, 20);
    answers(quick, 10_000, 1);
    int sent = 0;
    while (hedging.verdict() == Verdict.COPY
        && hedging.verdict(far, 20 * MILLISECOND, 30 * MILLISECOND) == Verdict.COPY) {
      hedging.ended(far, hedging.sent(far), true, 20 * MILLISECOND);
      sent++;
    }
    assertThat(sent).isGreaterThan(30);
  }

  /** What will have been for nothing is paid for as well. */
  @Test
  void should_pay_as_much_again_when_a_copy_is_still_at_work() {
    answers(quick, 10_000, 1);
    int won = copiesUntilRefused(MILLISECOND, true);
    answers(quick, 10_000, 1);
    assertThat(copiesUntilRefused(MILLISECOND, false)).isLessThan(won);
  }

  @Test
  void should_wait_for_a_replica_that_never_answered_as_for_the_slowest() {
    answers(quick, 1_000, 1);
    answers(slow, 1_000, 1);
    ReplicaTail[] tails = {quick, hedging.newTail(), slow};
    long longest = Math.max(hedging.delayNanos(quick), hedging.delayNanos(slow));
    assertThat(hedging.delayNanos(tails[1], tails.length, i -> tails[i])).isEqualTo(longest);
    assertThat(hedging.delayNanos(quick, tails.length, i -> tails[i]))
        .isEqualTo(hedging.delayNanos(quick));
  }

  /** A pause of seconds is no work of seconds, neither earned nor spent. */
  @Test
  void should_neither_earn_nor_owe_for_long_when_a_pause_ends() {
    answers(quick, 10_000, 1);
    long usual = hedging.sent(quick);
    hedging.ended(quick, usual, true, 20_000 * MILLISECOND);
    hedging.answered(slow, MILLISECOND, false, now);
    answers(quick, 2_000, 1);
    assertThat(hedging.verdict()).isEqualTo(Verdict.COPY);
  }

  /**
   * What looks slow by chance would get no copies, and count as congestion; and what it usually
   * takes is what an answer's cost is measured by.
   */
  @Test
  void should_take_a_replica_that_is_asked_seldom_for_what_it_is_on_average() {
    ReplicaTail seldom = hedging.newTail();
    int slow = 0;
    for (int i = 0; i < 10_000; i++) {
      now += 30 * MILLISECOND;
      answer(seldom, (long) (-Math.log(1 - random.nextDouble()) * 20 * MILLISECOND));
      slow += hedging.isWell(seldom, seldom.recentNanos(now)) ? 0 : 1;
    }
    assertThat(seldom.usualNanos()).isBetween(15.0 * MILLISECOND, 25.0 * MILLISECOND);
    assertThat(slow).isLessThan(100);
  }

  /** As the first of a node that has just started: should it stop then, all would wait for it. */
  @Test
  void should_copy_soon_when_only_the_first_answer_was_slow() {
    answers(slow, 1, 300);
    assertThat(slow.delayNanos()).isGreaterThan(300 * MILLISECOND);
    answers(slow, 100, 1);
    assertThat(slow.delayNanos()).isBetween(MILLISECOND, 50 * MILLISECOND);
  }

  /** The driver offers a request once: what is spent on others is not there for a stuck one. */
  @Test
  void should_make_copies_due_later_when_little_is_saved() {
    answers(slow, 10_000, 1);
    answers(quick, 10_000, 1);
    long early = hedging.delayNanos(slow);
    assertThat(early).isEqualTo(slow.delayNanos());
    copiesUntilRefused(10 * MILLISECOND, true);
    assertThat((double) hedging.delayNanos(slow) / early).isBetween(2.0, 4.0);
    answers(slow, 10_000, 1);
    answers(quick, 10_000, 1);
    assertThat(hedging.delayNanos(slow)).isEqualTo(slow.delayNanos());
  }

  @Test
  void should_refuse_a_share_out_of_range() {
    assertThatThrownBy(() -> new Hedging(0)).hasMessageContaining("share");
    assertThatThrownBy(() -> new Hedging(0.3)).hasMessageContaining("share");
    assertThatThrownBy(() -> new WorkBudget(0.1, 0)).hasMessageContaining("above 0");
  }

  private int copiesUntilRefused(long tookNanos, boolean won) {
    int sent = 0;
    while (hedging.verdict() == Verdict.COPY
        && hedging.verdict(quick, MILLISECOND, 10 * MILLISECOND) == Verdict.COPY) {
      hedging.ended(quick, hedging.sent(quick), won, tookNanos);
      sent++;
    }
    return sent;
  }

  private void answers(ReplicaTail replica, int count, long millis) {
    for (int i = 0; i < count; i++) {
      now += MILLISECOND;
      hedging.answered(replica, millis * MILLISECOND, false, now);
    }
  }

  /**
   * Requests to a replica, with answers after 0.1 to 5 ms and times that; a copy takes that factor.
   */
  private void run(int count, ReplicaTail first, double slowness, double copyFactor) {
    for (int i = 0; i < count; i++) {
      now += MILLISECOND;
      requests++;
      answer(quick, (long) (0.5 * MILLISECOND));
      long takes = (long) (slowness * -Math.log(1 - random.nextDouble()) * MILLISECOND);
      if (first.delayNanos() == 0 || takes <= first.delayNanos()) {
        answer(first, takes);
        continue;
      }
      due++;
      boolean copied =
          hedging.verdict() == Verdict.COPY
              && hedging.verdict(quick, 0.5 * MILLISECOND, first.delayNanos()) == Verdict.COPY;
      if (!copied) {
        answer(first, takes);
        continue;
      }
      copies++;
      hedging.overdue(first);
      long usual = hedging.sent(quick);
      long took = (long) (copyFactor * 0.5 * MILLISECOND);
      hedging.answered(quick, took, true, now);
      hedging.ended(quick, usual, true, took);
    }
  }

  private void answer(ReplicaTail replica, long takes) {
    hedging.answered(replica, takes, false, now);
  }
}
