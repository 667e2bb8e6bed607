/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/** The plug-in's counts among Cassandra's own metrics, of type Curtail. */
final class ServerMetrics {
  private ServerMetrics() {}

  static void register(LiveSettings live, Guard guard, Guard passingGuard, Counts counts) {
    counts.all().forEach((name, count) -> Cassandra50.registerGauge(camel(name), count::sum));
    Cassandra50.registerGauge("Errors", () -> guard.errors());
    Cassandra50.registerGauge("PassingErrors", () -> passingGuard.errors());
    Cassandra50.registerGauge("Mode", () -> live.mode().level());
    Cassandra50.registerGauge("Passing", () -> live.passing().level());
    Cassandra50.registerGauge("Peers", () -> live.policy().peers().all().size());
  }

  /** Cassandra names metrics {@code LikeThis}. */
  static String camel(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_", -1)) {
      text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return text.toString();
  }
}
