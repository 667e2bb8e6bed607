/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Command;

/** {@code curtail engine}: trials of the storage engine. */
@Command(
    name = "engine",
    description = "Tries the RocksDB storage engine on a stock Cassandra node.",
    subcommands = {
      EngineFuzzCommand.class,
      EngineCrashCommand.class,
      EngineFullDiskCommand.class,
      EngineChaosCommand.class
    })
final class EngineCommand extends CommandGroup {}
