/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code curtail lab}: clusters of real nodes on this machine. */
@Command(
    name = "lab",
    description = "Runs real clusters of stock Cassandra nodes on this machine.",
    subcommands = {
      LabRunCommand.class,
      LabStartCommand.class,
      LabStatusCommand.class,
      LabStopCommand.class,
      LabZonesCommand.class
    })
public final class LabCommand extends CommandGroup {}
