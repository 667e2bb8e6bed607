/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.nio.file.Path;

/** The jars of this project that go into a node's {@code lib/}. */
public final class PlugIns {
  private PlugIns() {}

  /**
   * The jar of {@code curtail-MODULE}.
   *
   * @throws IllegalStateException if it has not been built
   */
  public static Path jar(String module) {
    return Home.find().jar(module);
  }
}
