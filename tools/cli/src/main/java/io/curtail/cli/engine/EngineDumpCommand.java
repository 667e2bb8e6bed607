/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.curtail.cli.option.Range;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code curtail engine dump}. */
@Command(
    name = "dump",
    description =
        "Shows what a node has of one partition in RocksDB, with timestamps, deletions and what has"
            + " expired, as sstabledump does of a data file.")
final class EngineDumpCommand extends EngineNodeCommand {
  private static final int MOST_ROWS = 100_000;

  @Parameters(index = "1", paramLabel = "KEYSPACE.TABLE", description = "The table.")
  private String table;

  @Parameters(
      index = "2",
      paramLabel = "KEY",
      description = "The partition key; several columns joined by colons.")
  private String key;

  @Option(
      names = "--rows",
      defaultValue = "1000",
      description = "Shown at most, 1 to 100,000. Default: ${DEFAULT-VALUE}")
  private int rows;

  @Override
  public Integer call() throws IOException {
    Range.check("--rows", rows, 1, MOST_ROWS);
    TableName name = TableName.parse(table);
    String json = node.ask(engine -> engine.dump(name.keyspace(), name.table(), key, rows));
    JsonNode dump = new ObjectMapper().readTree(json);
    output.print(dump, () -> dump.isEmpty() ? "nothing in RocksDB\n" : json.strip() + "\n");
    if (dump.at("/0/rows").size() >= rows) {
      output.progress("no more than " + rows + " rows are shown: --rows for more");
    }
    return 0;
  }
}
