/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.load.Policy;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Load balancing policies of the driver. */
final class DriverPolicyOption {
  @Option(
      names = "--policy",
      split = ",",
      completionCandidates = Names.class,
      description = {
        "Of ${COMPLETION-CANDIDATES}, or a class name, with options as in"
            + " weighted-least-loaded,weighted.non-rack=2. The first is what the others are compared"
            + " with. If not given: stock-default, weighted-least-loaded, stock-basic; in rough-day"
            + " stock-default, stock-speculative, adaptive, adaptive-hedged; in small-faults these and"
            + " weighted-least-loaded."
      })
  private List<String> policies;

  /** What the user gave; empty for all. */
  List<Policy> policies() {
    return policies == null
        ? List.of()
        : WithSettings.join(policies).stream().map(Policy::parse).toList();
  }

  /** The policies that have a name. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Names() {
      super(Policy.NAMED.stream().map(Policy::name).toList());
    }
  }
}
