/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import picocli.CommandLine.Option;

/** The most that a long trial of the engine takes. */
final class TimeLimit {
  @Option(
      names = "--max-seconds",
      defaultValue = "0",
      description = "Stop after so many seconds, engine crash in each sync mode; 0 for no limit.")
  private long seconds;

  long seconds() {
    if (seconds < 0) {
      throw new IllegalArgumentException("--max-seconds must be 0 or more");
    }
    return seconds;
  }
}
