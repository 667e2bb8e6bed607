/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code curtail help}: picocli's own takes one name, and most commands here have two. */
@Command(name = "help", description = "Shows what a command does and takes, as its --help does.")
final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "As it is typed, such as lab run.")
  private List<String> names = List.of();

  @Override
  public void run() {
    CommandLine command = spec.root().commandLine();
    for (String name : names) {
      CommandLine inner = command.getSubcommands().get(name);
      if (inner == null) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no command " + command.getCommandSpec().qualifiedName() + " " + name);
      }
      command = inner;
    }
    command.usage(spec.commandLine().getOut());
  }
}
