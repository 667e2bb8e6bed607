/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * How long a node stands still and how long it runs between two pauses.
 *
 * @param cycles in one run
 */
public record PauseCycle(Duration pause, Duration healthy, int cycles) {
  private static final Duration DEFAULT_LENGTH = Duration.ofSeconds(15);

  /** Several pauses in a run of 15 s. */
  public static final PauseCycle SHORT =
      new PauseCycle(Duration.ofSeconds(2), Duration.ofSeconds(3), 3);

  /** As many whole cycles as fit into the length, at least one. */
  public PauseCycle within(Duration length) {
    return new PauseCycle(pause, healthy, (int) Math.max(1, length.dividedBy(pause.plus(healthy))));
  }

  /** Room after the last pause for what was stuck in it. */
  public Duration runLength() {
    long millis = pause.plus(healthy).multipliedBy(cycles).toMillis();
    return Duration.ofSeconds((millis + 999) / 1000 + 1);
  }

  /**
   * Understands {@code PAUSE/RUN}, such as {@code 2/3} and {@code 0.2/1.8}; as many cycles as fit
   * into 15 s, at least one.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static PauseCycle parse(String text) {
    String seconds = "(?=[0-9.]*[1-9])[0-9]{1,3}(\\.[0-9]{1,2})?";
    if (!text.matches(seconds + "/" + seconds)) {
      throw new IllegalArgumentException(
          "pause: seconds of pause and of run, such as 2/3, 0.2/1.8 or 20/30, not \""
              + text
              + "\"");
    }
    String[] parts = text.split("/", -1);
    return new PauseCycle(duration(parts[0]), duration(parts[1]), 1).within(DEFAULT_LENGTH);
  }

  private static Duration duration(String seconds) {
    return Duration.ofMillis(new BigDecimal(seconds).movePointRight(3).longValueExact());
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  @Override
  public String toString() {
    return seconds(pause) + " s of pause in " + seconds(pause.plus(healthy)) + " s";
  }
}
