/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code curtail test}: the launcher does it before there is anything to run. */
@Command(
    name = "test",
    description = {
      "Builds everything and runs every test.",
      "Options go to Maven: -pl products/driver -am for one module and what it needs, or"
          + " -Dtest=SomeTest -Dsurefire.failIfNoSpecifiedTests=false."
    })
final class TestCommand implements Callable<Integer> {
  @Parameters(paramLabel = "MAVEN_OPTION", arity = "0..*", description = "Given to Maven.")
  private List<String> options;

  @Override
  public Integer call() {
    throw new IllegalStateException(
        "the launcher runs the tests: ./curtail test"
            + (options == null ? "" : " " + String.join(" ", options)));
  }
}
