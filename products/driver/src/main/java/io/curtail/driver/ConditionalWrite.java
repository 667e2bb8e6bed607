/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.regex.Pattern;

/**
 * Recognises a CQL write with a condition: {@code INSERT ... IF NOT EXISTS}, {@code UPDATE ... IF}.
 */
final class ConditionalWrite {
  /** What may hold the letters "if" without being the keyword: comments, strings, quoted names. */
  private static final Pattern NOT_CODE =
      Pattern.compile(
          "--[^\\n\\r]*|//[^\\n\\r]*|/\\*(?s:.*?)\\*/|'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"|\\$\\$(?s:.*?)\\$\\$");

  /** IF is a reserved word, so it is never an unquoted name. */
  private static final Pattern CONDITION =
      Pattern.compile(
          "^\\s*(?:INSERT|UPDATE|DELETE|BEGIN)\\b(?s:.*)\\bIF\\b", Pattern.CASE_INSENSITIVE);

  private ConditionalWrite() {}

  static boolean matches(String query) {
    return CONDITION.matcher(NOT_CODE.matcher(query).replaceAll(" ")).find();
  }
}
