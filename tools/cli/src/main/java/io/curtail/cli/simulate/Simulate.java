/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.simulate;

import io.curtail.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code curtail simulate}. */
@Command(
    name = "simulate",
    description = "The selection code that ships, against its rivals, in simulated time.",
    subcommands = {SimulateList.class, SimulateRun.class, SimulateCompare.class})
public final class Simulate extends CommandGroup {}
