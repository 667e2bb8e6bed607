/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.MemoryLimit;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.EngineSettings;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.load.Dataset;
import io.curtail.lab.meter.GcLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** The same table on a stock node and on one with the RocksDB storage engine. */
public enum StorageArms implements ArmSet {
  INSTANCE;

  private static final int ROWS = 60_000;

  @Override
  public String difference(ScenarioSettings settings) {
    EngineSettings engine = settings.engine();
    int nodes = settings.nodes().orElse(1);
    return (nodes == 1 ? "One node" : nodes + " nodes")
        + " of each kind, Cassandra at its best (trie memtables off the heap, BTI, unified"
        + String.format(
            Locale.ROOT,
            " compaction) and the same release with Curtail's storage engine, %,d %s on each.",
            rows(settings),
            engine.table().description())
        + " Each has a heap of %d MiB (G1 with Cassandra's flags) and %d MiB of caches and write"
            .formatted(engine.heapMebibytes(), engine.offHeapMebibytes())
        + " buffers outside of it, "
        + (engine.memoryMebibytes() == 0
            ? "and no other limit of memory."
            : "and no more than %d MiB of memory in all, the system's file cache included."
                .formatted(engine.memoryMebibytes()))
        + parameters(engine)
        + " While one kind is measured the other stands still (SIGSTOP). After writes a node is left"
        + " alone until its flushes and compactions are done, which counts as written bytes but not"
        + " as time.";
  }

  private static String parameters(EngineSettings engine) {
    return engine.parameters().isEmpty()
        ? ""
        : " RocksDB's memtable has " + new TreeMap<>(engine.parameters()) + ".";
  }

  /** How many the table has. */
  public static int rows(ScenarioSettings settings) {
    return settings.rowsOr(ROWS);
  }

  @Override
  public int warmUpSeconds() {
    return 60;
  }

  @Override
  public boolean areCompiledApart() {
    return true;
  }

  @Override
  public int count(ScenarioSettings settings) {
    return Storage.values().length;
  }

  @Override
  public List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException {
    EngineSettings engine = settings.engine();
    if (engine.jars().isEmpty()) {
      throw new IllegalStateException("curtail-engine is not built: use the launcher ./curtail");
    }
    if (engine.memoryMebibytes() > 0 && MemoryLimit.unavailable() != null) {
      throw new IllegalStateException(MemoryLimit.unavailable());
    }
    List<Arm> arms = new ArrayList<>();
    for (Storage storage : Storage.values()) {
      ClusterSpecBuilder spec =
          ClusterSpec.builder()
              .nodes(nodes)
              .heapMebibytes(engine.heapMebibytes())
              .memoryMebibytes(engine.memoryMebibytes())
              .addYaml(storage.yaml(engine, false).entrySet())
              .addJvmOptions(GcLog.option(testbeds.nextDirectory()));
      spec.addJvmOptions(NodeOptions.jvm(engine));
      spec.addClassPath(storage.classPath(engine));
      Testbed testbed =
          testbeds.start(
              spec, new Dataset(engine.table(), Optional.of(storage.memtable()), rows(settings)));
      StorageArm arm = new StorageArm(storage, engine.table(), testbed);
      arm.flush();
      arm.settle();
      arms.add(arm);
    }
    return arms;
  }
}
