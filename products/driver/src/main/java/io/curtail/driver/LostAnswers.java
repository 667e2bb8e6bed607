/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

/**
 * How many of the requests that the client gave up on a node will never answer. A connection keeps
 * the stream id of each, and the driver closes it when there are more than {@code
 * advanced.connection.max-orphan-requests}: never, if a limit in flight or a ranking leaves the
 * node before.
 *
 * <pre>
 * lost = those unanswered at the start of a while - answers in it that came after their time
 * </pre>
 *
 * <p>A node answers within a while (30 s) or not at all: Cassandra ends what it works on after
 * seconds, and the driver closes a connection that is silent for 35. The late answers are those by
 * which the requests given up on were seen to get fewer from look to look. Some are missed, so it
 * looks often: hundreds at a time that are answered late all the time are not taken for lost. What
 * was found lost stays so while as many are unanswered.
 *
 * <p>A while is a number of looks and not a time: the answers that came while this process stood
 * still are read before it ends. For one thread.
 */
final class LostAnswers {
  static final int LOOK_INTERVAL_MILLIS = 100;
  static final int LOOKS = 300;

  private int looks;
  private int atStart;
  private int before;
  private int late;
  private int lost;

  /**
   * Looks again.
   *
   * @param unanswered requests to the node that the client gave up on
   * @return how many of them are lost
   */
  int look(int unanswered) {
    late += Math.max(0, before - unanswered);
    before = unanswered;
    lost = Math.min(lost, unanswered);
    if (looks == LOOKS) {
      lost = Math.max(lost, Math.min(unanswered, atStart - late));
      looks = 0;
    }
    if (looks == 0) {
      atStart = unanswered;
      late = 0;
    }
    looks++;
    return lost;
  }
}
