/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * What a node with {@code curtail-server} does unless it is told otherwise, which is what simulated
 * nodes and the simulated twins of real ones do.
 */
public final class NodeDefaults {
  /** The name of its ranking, as {@link Policies} knows it. */
  public static final String RANKING = "c3-per-slot";

  /** How much worse the nearest replica's score may be before another is first; a share. */
  public static final double NEAREST_THRESHOLD = 0.3;

  /** A replica that is silent for longer gets a probe, in milliseconds. */
  public static final int REFRESH_MILLIS = 250;

  /** Probes in a hundred reads, at most. */
  public static final int REFRESH_PERCENT = 5;

  /** The window in which rates are counted, in milliseconds; C3's, as its authors simulate it. */
  public static final int RATE_WINDOW_MILLIS = 20;

  /** A read waits at most so long for a replica's rate, in milliseconds. */
  public static final int BACKLOG_MILLIS = 5;

  /** A shorter wait is not worth passing a read on, in milliseconds. */
  public static final double PASSING_HOP_MILLIS = 0.5;

  private NodeDefaults() {}
}
