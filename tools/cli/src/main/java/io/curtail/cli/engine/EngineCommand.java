/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code curtail engine}: trials of the storage engine. */
@Command(
    name = "engine",
    description =
        "The RocksDB storage engine: trials of it, and what operators ask of a node with it.",
    subcommands = {
      EngineFuzzCommand.class,
      EngineCrashCommand.class,
      EngineFullDiskCommand.class,
      EngineChaosCommand.class,
      EngineStreamCommand.class,
      EngineNodeCommand.Status.class,
      EngineNodeCommand.Compact.class,
      EngineNodeCommand.Sweep.class,
      EngineNodeCommand.Verify.class,
      EngineNodeCommand.Cleanup.class,
      EngineNodeCommand.Absorb.class,
      EngineNodeCommand.CopyOut.class,
      EngineNodeCommand.Compare.class,
      EngineDumpCommand.class,
      EngineNodeCommand.Checkpoint.class,
      EngineNodeCommand.DropUnknown.class
    })
public final class EngineCommand extends CommandGroup {}
