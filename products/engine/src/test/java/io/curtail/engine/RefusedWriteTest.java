/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** RocksDB cannot make its next data file, and refuses what is written then. */
class RefusedWriteTest {
  @Test
  void should_say_once_that_rocksdb_failed_and_not_have_what_it_refused_after_a_start()
      throws IOException {
    NodeSettings settings = TestNode.guarded(TestNode.newDirectory("refused"));
    settings.yaml("disk_failure_policy", "ignore").yaml("write_request_timeout", "2s");
    settings.memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters());
    Path directory = settings.directory().resolve("data/curtail-rocksdb");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
      await(() -> takesWrite(node));
      List<Path> obstacles = obstruct(directory);
      assertThatThrownBy(() -> TestNode.call(node, "flushRocks", "k", "t"));
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> node.cql("INSERT INTO k.t (k, v) VALUES (2, 2)"));
      }
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(1);
      assertThat(node.unpacked()).isNotEmptyDirectory();
      node.kill();
      assertThat(node.unpacked()).doesNotExist();
      try (Stream<String> lines = Files.lines(settings.directory().resolve("logs/system.log"))) {
        assertThat(lines.filter(line -> line.contains("RocksDB failed in the background")))
            .hasSize(1);
      }
      for (Path obstacle : obstacles) {
        Files.delete(obstacle);
      }
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(1);
    }
  }

  /** So short a timeout may be over before a busy disk has the write. */
  private static boolean takesWrite(NodeProcess node) {
    try {
      node.cql("INSERT INTO k.t (k, v) VALUES (1, 1)");
      return true;
    } catch (IllegalStateException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the names of the data files to come, also where the test is root. */
  private static List<Path> obstruct(Path directory) throws IOException {
    List<Long> numbers;
    try (Stream<Path> files = Files.list(directory)) {
      numbers =
          files
              .map(file -> file.getFileName().toString().replaceAll("[^0-9]", ""))
              .filter(number -> number.length() >= 6 && number.length() < 10)
              .map(Long::valueOf)
              .collect(Collectors.toList());
    }
    long last = numbers.stream().mapToLong(number -> number).max().orElseThrow();
    List<Path> obstacles = new ArrayList<>();
    for (long number = last + 1; number <= last + 100; number++) {
      obstacles.add(Files.createDirectory(directory.resolve(String.format("%06d.sst", number))));
    }
    return obstacles;
  }
}
