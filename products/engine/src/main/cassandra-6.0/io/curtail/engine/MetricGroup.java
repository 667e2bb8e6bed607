/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

/** Where the engine's metrics are in the registry of Cassandra 6.0, which has fixed types. */
final class MetricGroup {
  static final String TYPE = "Storage";
  static final String SCOPE = "CurtailEngine";

  private MetricGroup() {}
}
