/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import java.util.ArrayList;
import java.util.List;

/** Names with settings after them, as in {@code rank,refresh_ms=500,stock}. */
final class WithSettings {
  private WithSettings() {}

  /**
   * Joins what was split at its commas: {@code name=value} belongs to the name before it.
   *
   * @return each name with its settings, as in {@code rank,refresh_ms=500}
   */
  static List<String> join(List<String> parts) {
    List<String> joined = new ArrayList<>();
    for (String part : parts) {
      if (part.indexOf('=') > 0 && !joined.isEmpty()) {
        joined.set(joined.size() - 1, joined.get(joined.size() - 1) + "," + part);
      } else {
        joined.add(part);
      }
    }
    return joined;
  }
}
