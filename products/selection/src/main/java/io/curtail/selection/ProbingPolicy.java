/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/** A policy that also asks servers how they are, apart from reads. */
public interface ProbingPolicy extends RankingPolicy {
  /**
   * Returns how many servers, drawn at random from all that the client uses, to probe with each
   * read; a fraction is a probability.
   */
  double probesPerRead();

  /**
   * A probe came back; {@link ReplicaLoad#onFeedback} has been called already.
   *
   * @param feedback what the server said
   */
  void onProbe(Feedback feedback);
}
