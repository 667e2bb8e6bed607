/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** {@code curtail simulate}. */
@Command(
    name = "simulate",
    description = "The selection code that ships, against its rivals, in simulated time.",
    subcommands = {HelpCommand.class, SimulateList.class, SimulateRun.class, SimulateCompare.class})
final class Simulate extends CommandGroup {}
