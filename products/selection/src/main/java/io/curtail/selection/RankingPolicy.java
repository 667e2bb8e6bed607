/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Puts the replicas that may serve a read into the order in which to try them.
 *
 * <p>One instance belongs to one client (a session, a coordinator) and is used by all its threads
 * at once. It only permutes: no replica is dropped, none comes twice. Replicas of other data
 * centres, dead ones and an order that a lightweight transaction needs are the caller's business.
 */
@FunctionalInterface
public interface RankingPolicy {
  /** Orders the candidates, best first. */
  void rank(Candidates candidates);
}
