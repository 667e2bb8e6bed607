/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code curtail} command. Exit codes: 0 done, 1 the work failed, 2 the command line or a
 * setting was not understood.
 */
@Command(
    name = "curtail",
    description =
        "Cuts the tail latency of Apache Cassandra, with stock servers and stock drivers.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      LabCommand.class,
      EngineCommand.class,
      BenchCommand.class,
      Simulate.class,
      ExplainCommand.class,
      HelpCommand.class,
      GenerateCompletion.class
    })
public final class Curtail implements Runnable {
  @Spec private CommandSpec spec;

  private Curtail() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do:");
  }

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Curtail())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(new OneLineErrors());
  }
}
