/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** What the launcher does by itself, before anything is built; here for the help. */
abstract class LauncherCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // they are the launcher's
  @Unmatched
  private String[] options;

  @Override
  public final Integer call() {
    throw new IllegalStateException(
        "the launcher does that: ./curtail " + spec.name() + " --help tells more");
  }

  /** {@code curtail test}. */
  @Command(
      name = "test",
      description = "Builds everything and runs every test. Options go to Maven.")
  static final class Test extends LauncherCommand {}

  /** {@code curtail doctor}. */
  @Command(
      name = "doctor",
      description = "Says what this machine can do, and how to mend what it cannot.")
  static final class Doctor extends LauncherCommand {}

  /** {@code curtail dist}. */
  @Command(name = "dist", description = "Makes a release: a tar and a Maven repository.")
  static final class Dist extends LauncherCommand {}

  /** {@code curtail compat}. */
  @Command(
      name = "compat",
      description = "Tries the products on every release of Cassandra and the driver.")
  static final class Compat extends LauncherCommand {}
}
