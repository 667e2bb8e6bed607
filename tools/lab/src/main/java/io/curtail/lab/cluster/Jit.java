/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.util.List;

/** How far a node's just-in-time compiler goes. */
public enum Jit {
  /** Compiles quickly and is done quickly: steady after seconds, about a third slower code. */
  C1("-XX:TieredStopAtLevel=1"),
  /** As in production; keeps compiling, beside the load, for the first minutes. */
  C2("-XX:CICompilerCount=2");

  private final String option;

  Jit(String option) {
    this.option = option;
  }

  List<String> options() {
    return List.of(option);
  }
}
