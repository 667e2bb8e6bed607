/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code curtail lab}: clusters of real nodes on this machine. */
@Command(
    name = "lab",
    description = "Runs real clusters of stock Cassandra nodes on this machine.",
    mixinStandardHelpOptions = true,
    subcommands = {
      LabRunCommand.class,
      LabStartCommand.class,
      LabStatusCommand.class,
      LabStopCommand.class,
      LabZonesCommand.class
    })
final class LabCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with the lab:");
  }
}
