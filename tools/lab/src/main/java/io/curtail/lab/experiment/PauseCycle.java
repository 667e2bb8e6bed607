/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

/**
 * How long a node stands still and how long it runs between two pauses, in seconds.
 *
 * @param cycles in one run
 */
public record PauseCycle(int pauseSeconds, int healthySeconds, int cycles) {
  private static final int DEFAULT_SECONDS = 15;

  /** Several pauses in a run of 15 s. */
  public static final PauseCycle SHORT = new PauseCycle(2, 3, 3);

  /** The cycle of Netflix's talk: 20 s of pause in 50 s. */
  public static final PauseCycle TALK = new PauseCycle(20, 30, 1);

  /** As many whole cycles as fit into the length, at least one. */
  public PauseCycle within(int seconds) {
    return new PauseCycle(
        pauseSeconds, healthySeconds, Math.max(1, seconds / (pauseSeconds + healthySeconds)));
  }

  /** Room after the last pause for what was stuck in it. */
  public int runSeconds() {
    return cycles * (pauseSeconds + healthySeconds) + 1;
  }

  /**
   * Understands {@code PAUSE/RUN}, such as {@code 2/3}; as many cycles as fit into 15 s, at least
   * one.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static PauseCycle parse(String text) {
    if (!text.matches("[1-9][0-9]{0,2}/[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException(
          "pause: seconds of pause and of run, such as 2/3 or 20/30, not \"" + text + "\"");
    }
    String[] parts = text.split("/", -1);
    int pause = Integer.parseInt(parts[0]);
    int healthy = Integer.parseInt(parts[1]);
    return new PauseCycle(pause, healthy, 1).within(DEFAULT_SECONDS);
  }

  @Override
  public String toString() {
    return pauseSeconds + " s of pause in " + (pauseSeconds + healthySeconds) + " s";
  }
}
