/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.time.Duration;

/**
 * Generators that join a closed loop while it runs, each with one request in flight. Immutable.
 *
 * @param generators over all clients
 * @param after from the beginning of what is counted
 */
public record Joiners(int generators, Mix mix, Duration after) {
  public Joiners {
    if (generators < 1) {
      throw new IllegalArgumentException("joiners: at least 1");
    }
  }
}
