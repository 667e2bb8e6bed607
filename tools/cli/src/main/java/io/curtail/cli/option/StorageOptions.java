/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import io.curtail.lab.experiment.EngineSettings;
import io.curtail.lab.load.LabTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the nodes of {@code engine-vs-stock} store, and in how much memory. */
public final class StorageOptions {
  @Option(
      names = "--table",
      description =
          "emp, the default: NDBench's, rows of 6 KB; small: rows of 100 bytes, fifty a partition;"
              + " rows: of 256 bytes, one a partition.")
  private String table = "emp";

  @Mixin private final HeapOption heap = new HeapOption(EngineSettings.DEFAULT.heapMebibytes());

  @Option(
      names = "--off-heap",
      paramLabel = "MIB",
      description = "Caches and write buffers outside the heap, of each node; 768 if not given.")
  private int offHeapMebibytes = EngineSettings.DEFAULT.offHeapMebibytes();

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description =
          "The most memory of each node, file cache included: take more --rows than fit. No limit if"
              + " not given; not for engine stream, where the node that joins would have none.")
  private int memoryMebibytes;

  @Option(
      names = "--parameter",
      paramLabel = "NAME=VALUE",
      showDefaultValue = Visibility.NEVER,
      description =
          "A parameter of RocksDB's memtable, such as compaction=universal; may be repeated.")
  private Map<String, String> parameters = Map.of();

  /** With the jars that an operator would put into a node's {@code lib/}. */
  public EngineSettings settings(List<Path> jars) {
    return new EngineSettings(
        LabTable.named(table),
        heap.mebibytes(),
        offHeapMebibytes,
        memoryMebibytes,
        parameters,
        jars);
  }
}
