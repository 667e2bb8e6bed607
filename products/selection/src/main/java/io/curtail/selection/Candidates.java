/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * The replicas that may serve a read, which a policy puts in order. Reused from read to read so
 * that ranking allocates nothing. Not thread-safe: keep one per thread, or per client where there
 * is one thread.
 *
 * <pre>
 *   candidates.start(nowNanos);
 *   for (ReplicaLoad replica : replicas) candidates.add(replica);
 *   policy.rank(candidates);
 *   candidates.get(0); // the best
 * </pre>
 */
public final class Candidates {
  private static final int READS_PER_TRIAL = 16;

  private final RandomSource random;
  private ReplicaLoad[] replicas = new ReplicaLoad[8];
  private int[] outstanding = new int[8];
  private double[] scores = new double[8];
  private double[] known = new double[8];
  private int size;
  private boolean byScore;
  private long nowNanos;

  /**
   * @param random breaks ties and draws samples; used by this ranking's thread only
   */
  public Candidates(RandomSource random) {
    this.random = random;
  }

  /** Forgets the last ranking and starts one at the given monotonic time. */
  public Candidates start(long nowNanos) {
    this.size = 0;
    this.byScore = false;
    this.nowNanos = nowNanos;
    return this;
  }

  /** Adds a replica behind those already added; the order is the one a stock client would use. */
  public Candidates add(ReplicaLoad replica) {
    return add(replica, 0);
  }

  /**
   * Adds a replica to which this client is about to send more than is outstanding.
   *
   * @param toBeSent requests that were decided on and have not left yet, at least 0
   */
  public Candidates add(ReplicaLoad replica, int toBeSent) {
    if (size == replicas.length) {
      replicas = Arrays.copyOf(replicas, 2 * size);
      outstanding = Arrays.copyOf(outstanding, 2 * size);
      scores = Arrays.copyOf(scores, 2 * size);
      known = Arrays.copyOf(known, 2 * size);
    }
    outstanding[size] = replica.outstanding() + toBeSent;
    replicas[size++] = replica;
    return this;
  }

  public int size() {
    return size;
  }

  /** Returns the replica at the place, from 0, the best. */
  public ReplicaLoad get(int place) {
    if (place >= size) {
      throw new IndexOutOfBoundsException("place " + place + " of " + size);
    }
    return replicas[place];
  }

  /**
   * Returns the requests outstanding at the replica at the place when it was added, with those
   * about to be sent.
   */
  public int outstanding(int place) {
    return outstanding[place];
  }

  /**
   * Returns the score of the replica at the place in the last ranking, if the policy ranks by
   * score: lower is better, the unit is the policy's.
   */
  public double score(int place) {
    return scores[place];
  }

  /**
   * Lets the nearest replica come first unless its score is much worse than the best.
   *
   * @param nearest its place in the ranking
   * @param threshold by what share of the best score its own may be worse
   * @return whether it came first for that
   */
  public boolean stayNear(int nearest, double threshold) {
    boolean stays = nearest > 0 && byScore && score(nearest) <= score(0) * (1 + threshold);
    if (stays) {
      moveUp(nearest, 0);
    }
    return stays;
  }

  public long nowNanos() {
    return nowNanos;
  }

  public RandomSource random() {
    return random;
  }

  /** Gives the replica at the place its score, captured once; NaN for one that is not known. */
  void score(int place, double score) {
    scores[place] = score;
  }

  /**
   * Ranks by score, ties at random. A replica with a NaN score has the median of the others, but
   * comes behind them once it has {@code coldOutstandingLimit} requests of that kind unanswered:
   * being unknown is neither a merit nor a fault, and a node that just joined must not be flooded.
   */
  void sortByScore(int coldOutstandingLimit) {
    fillUnknownScores(coldOutstandingLimit);
    shuffle();
    sort();
  }

  /** Ranks by score, ties in the order in which the replicas were added. */
  void sortByScoreInOrder() {
    sort();
  }

  private void fillUnknownScores(int coldOutstandingLimit) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (!Double.isNaN(scores[i])) {
        known[count++] = scores[i];
      }
    }
    if (count == size) {
      return;
    }
    double median = count == 0 ? 0 : median(count);
    for (int i = 0; i < size; i++) {
      if (Double.isNaN(scores[i])) {
        scores[i] =
            count == 0 ? outstanding[i] : coldScore(ofItsKind(i), coldOutstandingLimit, median);
      }
    }
  }

  /** What other kinds have outstanding may have changed since it was added. */
  private int ofItsKind(int place) {
    return Math.max(0, outstanding[place] - replicas[place].outstandingOfOtherKinds());
  }

  private double coldScore(int outstanding, int coldOutstandingLimit, double median) {
    if (outstanding >= coldOutstandingLimit) {
      return Double.MAX_VALUE;
    }
    return outstanding == 0 && random.nextInt(READS_PER_TRIAL) == 0
        ? Double.NEGATIVE_INFINITY
        : median;
  }

  /**
   * Returns the median of a value over the replicas that report about themselves; infinite if none
   * does.
   */
  double medianOfReporting(ToDoubleFunction<ReplicaLoad> value) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (replicas[i].hasFeedback()) {
        known[count++] = value.applyAsDouble(replicas[i]);
      }
    }
    return count == 0 ? Double.POSITIVE_INFINITY : median(count);
  }

  private double median(int count) {
    if (count == 3) {
      return Math.max(
          Math.min(known[0], known[1]), Math.min(Math.max(known[0], known[1]), known[2]));
    }
    Arrays.sort(known, 0, count);
    return count % 2 == 1 ? known[count / 2] : (known[count / 2 - 1] + known[count / 2]) / 2;
  }

  /** Puts the replicas, with their scores, into a uniformly random order. */
  void shuffle() {
    if (size == 3) {
      shuffleThree();
      return;
    }
    for (int i = size - 1; i > 0; i--) {
      swap(i, random.nextInt(i + 1));
    }
  }

  private void shuffleThree() {
    int draw = random.nextInt(6);
    swap(2, draw >> 1);
    swap(1, draw & 1);
  }

  void swap(int a, int b) {
    ReplicaLoad replica = replicas[a];
    replicas[a] = replicas[b];
    replicas[b] = replica;
    int requests = outstanding[a];
    outstanding[a] = outstanding[b];
    outstanding[b] = requests;
    double score = scores[a];
    scores[a] = scores[b];
    scores[b] = score;
  }

  /** Moves the replica from one place to an earlier one; those between move back by one. */
  public void moveUp(int from, int to) {
    for (int i = from; i > to; i--) {
      swap(i, i - 1);
    }
  }

  // Insertion sort: stable, and the fastest for a handful. A NaN that slipped through sorts last.
  private void sort() {
    byScore = true;
    for (int i = 1; i < size; i++) {
      ReplicaLoad replica = replicas[i];
      int requests = outstanding[i];
      double score = scores[i];
      int j = i;
      while (j > 0 && Double.compare(scores[j - 1], score) > 0) {
        replicas[j] = replicas[j - 1];
        outstanding[j] = outstanding[j - 1];
        scores[j] = scores[j - 1];
        j--;
      }
      replicas[j] = replica;
      outstanding[j] = requests;
      scores[j] = score;
    }
  }
}
