/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code curtail simulate}. */
@Command(
    name = "simulate",
    description = "The selection code that ships, against its rivals, in simulated time.",
    mixinStandardHelpOptions = true,
    subcommands = {HelpCommand.class, SimulateList.class, SimulateRun.class, SimulateCompare.class})
final class Simulate implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: list, run or compare.");
  }
}
