/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How data files are kept in order may change at each start. */
class CompactionTest {
  private static final int FILES = 10;
  private static final int ROWS_A_FILE = 30;

  /** Half of what a file has is written anew by the next. */
  private static final int NEW_ROWS_A_FILE = ROWS_A_FILE / 2;

  private static final String STYLE = "compaction_style=kCompactionStyle";

  private final Map<Integer, Integer> expected = new TreeMap<>();

  @Test
  void should_have_all_rows_when_another_compaction_is_chosen_at_a_start() throws IOException {
    Path directory = TestNode.newDirectory("reshaped");
    int round = 0;
    for (String compaction : List.of("levels", "universal", "levels")) {
      Map<String, String> parameters =
          TestNode.parameters(
              Map.of("compaction", compaction, "cf_options", "target_file_size_base=8192"));
      NodeSettings settings =
          TestNode.settings(directory)
              .memtable("rocksdb", RocksMemtable.class.getName(), parameters);
      try (NodeProcess node = NodeProcess.start(settings)) {
        if (round == 0) {
          node.cql(KEYSPACE);
          node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, t text) WITH memtable = 'rocksdb'");
        }
        check(node);
        for (int file = 0; file < FILES; file++) {
          write(node, round * FILES + file);
          TestNode.call(node, "flushInRocks", "k", "t");
        }
        check(node);
        assertThat(compactionStyle(directory)).isEqualToIgnoringCase(compaction);
        if (round % 2 == 1) {
          TestNode.call(node, "compact", "k", "t");
          check(node);
        }
        node.kill();
      }
      round++;
    }
  }

  @Test
  void should_compact_when_the_log_is_read_that_needed_the_room_of_the_disk() throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("little-room"));
    Path database = settings.directory().resolve("data/curtail-rocksdb");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      node.kill();
    }
    Path spare = database.resolve("log/9999.log.new"); // it takes up nothing, and nothing is in it
    try (RandomAccessFile file = new RandomAccessFile(spare.toFile(), "rw")) {
      file.setLength(Files.getFileStore(database).getUsableSpace() / 2);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
      assertThat(settings.directory().resolve("logs/system.log"))
          .content()
          .contains("compactions wait until it has been read");
      assertThat(options(settings.directory()))
          .contains("disable_auto_compactions=false")
          .doesNotContain("disable_auto_compactions=true");
    }
  }

  /** That of the table, as RocksDB has written it down. */
  private static String compactionStyle(Path directory) throws IOException {
    String families = options(directory);
    int table = families.indexOf("[CFOptions \"k/t/");
    assertThat(table).isPositive();
    String style = families.substring(families.indexOf(STYLE, table) + STYLE.length());
    return style.startsWith("Level") ? "levels" : style.substring(0, style.indexOf('\n')).trim();
  }

  /** What RocksDB has written down last. */
  private static String options(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("data/curtail-rocksdb"))) {
      return Files.readString(
          files
              .filter(file -> file.getFileName().toString().matches("OPTIONS-\\d+"))
              .max(Comparator.comparing(file -> file.getFileName().toString()))
              .orElseThrow());
    }
  }

  private void write(NodeProcess node, int file) throws IOException {
    int first = file * NEW_ROWS_A_FILE;
    for (int k = first; k < first + ROWS_A_FILE; k++) {
      node.cql(
          String.format(
              "INSERT INTO k.t (k, v, t) VALUES (%d, %d, '%s')", k, file, "t".repeat(500)));
      expected.put(k, file);
    }
    node.cql("DELETE FROM k.t WHERE k = " + first);
    expected.remove(first);
  }

  private void check(NodeProcess node) throws IOException {
    Map<Integer, Integer> found = new TreeMap<>();
    for (String row : node.cql("SELECT k, v FROM k.t")) {
      int comma = row.indexOf(", v=");
      found.put(
          Integer.parseInt(row.substring("k=".length(), comma)),
          Integer.parseInt(row.substring(comma + ", v=".length())));
    }
    assertThat(found).isEqualTo(expected);
  }
}
