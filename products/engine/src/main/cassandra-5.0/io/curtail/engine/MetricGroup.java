/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

/** Where the engine's metrics are in the registry of Cassandra 5.0. */
final class MetricGroup {
  static final String TYPE = "CurtailEngine";
  static final String SCOPE = null;

  private MetricGroup() {}
}
