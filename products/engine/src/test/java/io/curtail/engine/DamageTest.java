/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.log.LogSegment;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A log and tables that are not as they were written. */
class DamageTest {
  private static final int ROWS = 400;

  @Test
  void should_lose_only_the_torn_tail_and_refuse_damage_before_it() throws IOException {
    NodeSettings settings = TestNode.guarded(TestNode.newDirectory("damage"));
    settings.yaml("disk_failure_policy", "best_effort");
    engine(settings, Map.of("sync", "periodic", "sync_period", "60s"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
      write(node, 0, ROWS);
      node.kill();
    }
    Path directory = settings.directory().resolve("data/curtail-rocksdb");
    Path torn = log(directory);
    overwrite(torn, end(torn) - 50, 50);
    engine(settings, Map.of("sync", "batch"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(count(node)).isEqualTo(ROWS - 1);
      write(node, 0, ROWS);
      node.kill();
    }
    Path log = log(directory);
    Path whole = Files.copy(log, directory.resolveSibling("whole.log"));
    flip(log, end(log) / 2);
    assertThatThrownBy(() -> NodeProcess.start(settings).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the log could not be read")
        .hasMessageContaining("checksum mismatch");
    Files.delete(log);
    Files.move(whole, log);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(count(node)).isEqualTo(ROWS);
      await(() -> !Files.exists(log)); // what was in it is flushed then
      node.kill();
    }
    Path[] tables = files(directory, ".sst");
    flip(tables[tables.length - 1], 30);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThatThrownBy(() -> count(node)).isInstanceOf(IllegalStateException.class);
      assertThat(node.cql("SELECT key FROM system.local")).hasSize(1);
      node.kill();
    }
    for (Path table : tables) {
      flip(table, 30);
    }
    assertThatThrownBy(() -> NodeProcess.start(settings).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("checksum mismatch");
  }

  private static void write(NodeProcess node, int from, int to) throws IOException {
    for (int k = from; k < to; k++) {
      node.cql("INSERT INTO k.t (k, v) VALUES (" + k + ", '" + "v".repeat(50) + k + "')");
    }
  }

  private static int count(NodeProcess node) throws IOException {
    return node.cql("SELECT k FROM k.t").size();
  }

  private static Path[] files(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toArray(Path[]::new);
    }
  }

  private static void engine(NodeSettings settings, Map<String, String> parameters) {
    settings.memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters(parameters));
  }

  /** The last segment of the log that has records: the one after it may be prepared already. */
  private static Path log(Path directory) throws IOException {
    Path newest = null;
    for (Path file : files(directory.resolve("log"), "")) {
      newest = end(file) > LogSegment.HEADER_BYTES ? file : newest;
    }
    return newest;
  }

  /** The end of what a file has before its zeros. */
  private static int end(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private static void overwrite(Path file, int at, int length) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(at);
      open.write(new byte[length]);
    }
  }

  private static void flip(Path file, long at) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      for (long i = at; i < at + 8; i++) {
        open.seek(i);
        int b = open.read();
        open.seek(i);
        open.write(~b);
      }
    }
  }
}
