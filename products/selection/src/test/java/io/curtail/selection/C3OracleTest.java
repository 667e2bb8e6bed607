/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The paper's score computed a second time, from the whole history in milliseconds. */
class C3OracleTest {
  private static final double CLIENTS = 37;
  private static final int SLOTS = 4;

  private static final class History {
    final ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
    final Deque<double[]> responseServiceQueue = new ArrayDeque<>();
    int sent;
    int answered;

    double score(double slots, double b) {
      double r = average(0);
      double mu = 1 / average(1);
      double q = 1 + ((sent - answered) * CLIENTS + average(2)) / slots;
      return r - 1 / mu + Math.pow(q, b) / mu;
    }

    double behindItsQueue() {
      return average(1) * (1 + (sent - answered + average(2)) / SLOTS);
    }

    private double average(int field) {
      double old = Double.NaN;
      for (double[] sample : responseServiceQueue) {
        old = Double.isNaN(old) ? sample[field] : 0.9 * sample[field] + 0.1 * old;
      }
      return old;
    }
  }

  @Property(tries = 200)
  void should_score_as_the_paper_says(@ForAll long seed, @ForAll boolean perSlot) {
    RandomSource random = RandomSource.seeded(seed);
    History[] replicas = {new History(), new History(), new History()};
    for (History replica : replicas) {
      int requests = 1 + random.nextInt(6);
      for (int i = 0; i < requests; i++) {
        replica.load.onSent();
        replica.sent++;
      }
      int answers = 1 + random.nextInt(requests);
      for (int i = 0; i < answers; i++) {
        double serviceMillis = 0.5 + random.nextInt(100) / 10.0;
        double responseMillis = serviceMillis + random.nextInt(400) / 10.0;
        int queue = random.nextInt(40);
        replica.load.onResponse(
            (long) (responseMillis * 1e6),
            new Feedback(queue, 4, SLOTS, (long) (serviceMillis * 1e6)),
            i);
        replica.responseServiceQueue.add(new double[] {responseMillis, serviceMillis, queue});
        replica.answered++;
      }
    }
    RankingPolicy policy =
        Policies.named(perSlot ? "c3-per-slot" : "c3")
            .newRanking(PolicySettings.builder().clients(CLIENTS).build());
    Candidates candidates = new Candidates(random).start(100);
    for (History replica : replicas) {
      candidates.add(replica.load);
    }
    policy.rank(candidates);
    double b = perSlot && isOneFarSlower(replicas) ? 1 : 3;
    for (int place = 0; place < 3; place++) {
      double expected = historyOf(candidates.get(place), replicas).score(perSlot ? SLOTS : 1, b);
      assertThat(candidates.score(place) * 1e-6)
          .isCloseTo(expected, within(1e-6 * expected + 1e-5));
    }
    assertThat(candidates.score(0)).isLessThanOrEqualTo(candidates.score(1));
    assertThat(candidates.score(1)).isLessThanOrEqualTo(candidates.score(2));
  }

  private static boolean isOneFarSlower(History[] replicas) {
    double slowest = Stream.of(replicas).mapToDouble(one -> one.average(1)).max().orElseThrow();
    double least = Stream.of(replicas).mapToDouble(History::behindItsQueue).min().orElseThrow();
    return slowest > 4 * least;
  }

  private static History historyOf(ReplicaLoad load, History[] replicas) {
    for (History replica : replicas) {
      if (replica.load == load) {
        return replica;
      }
    }
    throw new AssertionError("not one of the replicas");
  }
}
