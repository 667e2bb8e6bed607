/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import io.curtail.simulator.Catalogue;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Option;

/** Policies of replica selection. */
public final class SelectionPolicyOption {
  @Option(
      names = "--policy",
      split = ",",
      completionCandidates = Names.class,
      description =
          "Policies by the names of 'curtail simulate list'; if not given the usual ones, in compare"
              + " curtail.")
  private List<String> policies;

  /** What the user gave; empty for the usual set. */
  public List<String> policies() {
    return policies == null ? List.of() : policies;
  }

  /** All that can be simulated, for the completion of command lines. */
  public static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Catalogue.policies().keySet().iterator();
    }
  }
}
