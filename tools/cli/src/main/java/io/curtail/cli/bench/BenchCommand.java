/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** The benchmarks of code that has a budget. */
@Command(
    name = "bench",
    description = "Measures what Curtail's code costs, beside the code it replaces.",
    subcommands = {
      BenchPlanCommand.class,
      BenchClientCommand.class,
      BenchSelectionCommand.class,
      BenchAbsorbCommand.class,
      BenchCompactionCommand.class,
      BenchEngineCommand.class,
      BenchEventsCommand.class
    })
public final class BenchCommand extends CommandGroup {}
