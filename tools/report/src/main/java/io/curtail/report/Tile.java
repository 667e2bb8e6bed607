/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

/**
 * One number that a reader should see first.
 *
 * @param value the number with its unit
 * @param label what it is
 * @param detail what it is compared with, or how sure it is; may be empty
 */
public record Tile(String value, String label, String detail, Tone tone) {
  /** Whether the number is good news. */
  public enum Tone {
    GOOD,
    NEUTRAL,
    BAD
  }
}
