/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only holds others: alone it is an error that names them. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    List<String> names =
        spec.subcommands().values().stream()
            .filter(command -> !command.getCommandSpec().usageMessage().hidden())
            .map(command -> command.getCommandName())
            .toList();
    throw new ParameterException(
        spec.commandLine(), "say what to do, one of " + String.join(", ", names));
  }
}
