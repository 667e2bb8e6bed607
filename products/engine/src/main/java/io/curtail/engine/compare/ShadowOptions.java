/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import io.curtail.engine.options.Parameters;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The parameters of a configuration of {@code ComparedMemtable}, read and checked; the page {@code
 * docs/engine/configure.md} describes each. Immutable.
 */
public final class ShadowOptions {
  /** The configuration of Cassandra that serves the table. */
  public final String configuration;

  /** The configuration of the engine that is compared with it. */
  public final String with;

  /** One in so many writes begins to follow its partition, if that is not followed yet. */
  final int sample;

  /** What one table may take of the heap: half for writes on their way, half for the sample. */
  public final long memoryBytes;

  /** What one table may take of RocksDB's disk before it begins anew. */
  final long diskBytes;

  /** Between two comparisons of all partitions that are followed. */
  final long periodMillis;

  private final Map<String, String> given;

  private ShadowOptions(Map<String, String> parameters) {
    given = new HashMap<>(parameters);
    Parameters in = new Parameters(parameters);
    configuration = in.text("configuration", "");
    with = in.text("with", "");
    sample = (int) in.number("sample", 256, 1, 1_000_000);
    memoryBytes = in.size("memory", "32MiB", 1 << 20, 1L << 34);
    diskBytes = in.size("disk", "32GiB", 1 << 20, 1L << 50);
    periodMillis = in.duration("period", "30s", 1_000, 86_400_000);
    in.refuseTheRest();
  }

  /**
   * Takes the options out of the map.
   *
   * @throws ConfigurationException if one is unknown, or has a value that it cannot have
   */
  public static ShadowOptions take(Map<String, String> parameters) {
    return new ShadowOptions(parameters);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShadowOptions && given.equals(((ShadowOptions) other).given);
  }

  @Override
  public int hashCode() {
    return given.hashCode();
  }
}
