/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The order in which what is compared takes turns: every second turn has that of the one before it
 * reversed (AB, BA), so that a drift of the machine favours nobody.
 */
public final class Turns {
  private Turns() {}

  /**
   * Returns the items in the order of a turn.
   *
   * @param turn counted by one; the even ones have the items as they are
   */
  public static <T> List<T> order(List<T> items, int turn) {
    List<T> order = new ArrayList<>(items);
    if (turn % 2 != 0) {
      Collections.reverse(order);
    }
    return order;
  }

  /**
   * Returns the items in the order of a turn: random, but for the reversal. The first numbers of
   * {@link Random} are nearly the same for seeds that follow each other, so those are mixed.
   *
   * @param turn from 0
   */
  public static <T> List<T> order(List<T> items, int turn, long seed) {
    List<T> ofPair = new ArrayList<>(items);
    Collections.shuffle(ofPair, new Random(new SplittableRandom(seed + turn / 2).nextLong()));
    return order(ofPair, turn);
  }
}
