/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.output.Output;
import io.curtail.engine.EngineMXBean;
import io.curtail.report.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What nodetool cannot do for tables in RocksDB, over JMX. */
abstract class EngineNodeCommand implements Callable<Integer> {
  @Mixin Output output;
  @Mixin EngineNode node;

  static List<String> progressLines(Map<String, Double> progress) {
    return progress.entrySet().stream()
        .map(
            task -> String.format(Locale.ROOT, "%s: %.0f %%", task.getKey(), 100 * task.getValue()))
        .toList();
  }

  /** {@code curtail engine status}. */
  @Command(
      name = "status",
      description = "Shows what a node has in RocksDB, and how far long work on it is.")
  static final class Status extends EngineNodeCommand {
    /** For programs. */
    record View(
        Map<String, Map<String, String>> tables,
        Set<String> unknownTables,
        Map<String, Double> progress,
        Map<String, Long> memoryBytes,
        long logBytes,
        boolean mergingNatively) {}

    @Override
    public Integer call() throws IOException {
      View view =
          node.ask(
              engine ->
                  new View(
                      engine.getTables(),
                      engine.getUnknownTables(),
                      engine.getProgress(),
                      engine.getMemoryBytes(),
                      engine.getLogBytes(),
                      engine.isMergingNatively()));
      output.print(view, () -> text(view));
      return 0;
    }

    private static String text(View view) {
      Table shown =
          new Table(
              1,
              "table",
              "state",
              "level 0",
              "files MiB",
              "buffers MiB",
              "data files",
              "their MiB");
      view.tables.forEach(
          (name, values) ->
              shown.row(
                  name,
                  values.get("state").toLowerCase(Locale.ROOT).replace('_', ' '),
                  values.get("level0_files"),
                  mebibytes(values.get("file_bytes")),
                  mebibytes(values.get("write_buffer_bytes")),
                  values.get("cassandra_data_files"),
                  mebibytes(values.get("cassandra_data_file_bytes"))));
      StringBuilder text = new StringBuilder(shown.toText());
      text.append(
          "log %s MiB, block cache %s MiB, rows that are kept %s MiB\n"
              .formatted(
                  mebibytes(Long.toString(view.logBytes)),
                  mebibytes(Long.toString(view.memoryBytes.getOrDefault("block_cache", 0L))),
                  mebibytes(Long.toString(view.memoryBytes.getOrDefault("record_cache", 0L)))));
      view.unknownTables.forEach(
          table -> text.append(table).append(": no schema knows it; see drop-unknown\n"));
      progressLines(view.progress).forEach(line -> text.append(line).append('\n'));
      return text.toString();
    }

    private static String mebibytes(String bytes) {
      return String.format(Locale.ROOT, "%.1f", Long.parseLong(bytes) / 1048576.0);
    }
  }

  /** {@code curtail engine compact}. */
  @Command(name = "compact", description = "Merges all data files of tables in RocksDB.")
  static final class Compact extends EngineTablesCommand.OrAll {
    Compact() {
      super(
          "",
          "compacted",
          (engine, keyspace, table) -> {
            engine.compact(keyspace, table);
            return 0;
          },
          true);
    }
  }

  /** {@code curtail engine sweep}. */
  @Command(
      name = "sweep",
      description = "Removes now what nobody can read any more of tables in RocksDB.")
  static final class Sweep extends EngineTablesCommand.OrAll {
    Sweep() {
      super("records", "%,d records removed or made smaller", EngineMXBean::sweep, true);
    }
  }

  /** {@code curtail engine verify}. */
  @Command(
      name = "verify",
      description = "Reads all data files of tables in RocksDB and compares their checksums.")
  static final class Verify extends EngineTablesCommand.OrAll {
    Verify() {
      super("bytes", "%,d bytes are as they were written", EngineMXBean::verify, true);
    }
  }

  /** {@code curtail engine cleanup}. */
  @Command(
      name = "cleanup",
      description = "Removes the partitions that a node has no part in any more.")
  static final class Cleanup extends EngineTablesCommand.OrAll {
    Cleanup() {
      super("partitions", "%,d partitions removed", EngineMXBean::cleanup, false);
    }
  }

  /** {@code curtail engine absorb}. */
  @Command(
      name = "absorb",
      description =
          "Takes the data files of Cassandra that tables and their legacy indexes have beside RocksDB"
              + " into it.")
  static final class Absorb extends EngineTablesCommand.OrAll {
    Absorb() {
      super("files", "%,d data files are in RocksDB now", EngineMXBean::absorb, false);
    }
  }

  /** {@code curtail engine copy-out}. */
  @Command(
      name = "copy-out",
      description =
          "Copies tables to Cassandra's data files, or what changed since the last copy, so that"
              + " ALTER TABLE to another memtable has little left to write.")
  static final class CopyOut extends EngineTablesCommand.Counted {
    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "KEYSPACE.TABLE",
        description = "Which; legacy indexes are copied with their table.")
    private List<String> tables = List.of();

    CopyOut() {
      super("partitions", "%,d partitions copied", EngineMXBean::copyOut);
    }

    @Override
    List<String> named() {
      return tables;
    }

    @Override
    List<String> unnamed(EngineMXBean engine) {
      return List.of();
    }
  }

  /** {@code curtail engine compare}. */
  @Command(
      name = "compare",
      description =
          "Compares what is followed of tables of Cassandra that are written to RocksDB as well.")
  static final class Compare extends EngineTablesCommand {
    private static final String DIFFERENCES = "differences";

    @Parameters(
        index = "1..*",
        arity = "0..*",
        paramLabel = "KEYSPACE.TABLE",
        description = "Which; all that are compared if none is given.")
    private List<String> tables = List.of();

    @Override
    List<String> named() {
      return tables;
    }

    @Override
    List<String> unnamed(EngineMXBean engine) {
      return List.copyOf(engine.getCompared().keySet());
    }

    @Override
    Map<String, Object> run(EngineMXBean engine, String keyspace, String table) {
      engine.compare(keyspace, table);
      Map<String, Object> values = new TreeMap<>();
      engine
          .getCompared()
          .get(keyspace + "." + table)
          .forEach(
              (name, value) ->
                  values.put(name, value.matches("[0-9]+") ? (Object) Long.valueOf(value) : value));
      return values;
    }

    @Override
    boolean isFailed(Map<String, Object> result) {
      return super.isFailed(result) || !result.get(DIFFERENCES).equals(0L);
    }

    @Override
    String text(Map<String, Object> result) {
      return "%s differences in %s comparisons of a partition, %s errors; %s writes, %s skipped"
          .formatted(
              result.get(DIFFERENCES),
              result.get("compared"),
              result.get("errors"),
              result.get("written"),
              result.get("skipped"));
    }
  }

  /** {@code curtail engine checkpoint}. */
  @Command(
      name = "checkpoint",
      description =
          "Makes a copy of a node's RocksDB, of hard links where the file system allows, to put in"
              + " its place if it is damaged.")
  static final class Checkpoint extends EngineNodeCommand {
    @Parameters(
        index = "1",
        paramLabel = "DIRECTORY",
        description = "On the node, absolute; must not be there yet.")
    private String directory;

    @Override
    public Integer call() throws IOException {
      node.ask(
          engine -> {
            engine.checkpoint(directory);
            return null;
          });
      output.print(Map.of("directory", directory), () -> "made " + directory + "\n");
      return 0;
    }
  }

  /** {@code curtail engine drop-unknown}. */
  @Command(
      name = "drop-unknown",
      description =
          "Removes the rows of a table that no schema knows, as a DROP that the node did not outlive"
              + " leaves them; 'curtail engine status' names such tables.")
  static final class DropUnknown extends EngineNodeCommand {
    @Parameters(
        index = "1",
        paramLabel = "KEYSPACE/TABLE/ID",
        description = "As status names it. Its rows are gone then.")
    private String table;

    @Override
    public Integer call() throws IOException {
      node.ask(
          engine -> {
            engine.dropUnknown(table);
            return null;
          });
      output.print(Map.of("table", table), () -> "removed " + table + "\n");
      return 0;
    }
  }
}
