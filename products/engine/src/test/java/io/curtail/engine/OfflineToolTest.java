/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.MoveTest.TABLE;
import static io.curtail.engine.TestNode.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ChildJvm;
import io.curtail.testnode.NodeFlags;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.Schema;
import org.junit.jupiter.api.Test;

/** Cassandra's tools that load the schema of a node, such as {@code sstablescrub}. */
class OfflineToolTest {
  /** Begins as they do. */
  static final class Tool {
    private Tool() {}

    public static void main(String[] none) {
      DatabaseDescriptor.toolInitialization();
      Schema.instance.loadFromDisk();
      ColumnFamilyStore table = Keyspace.openWithoutSSTables("k").getColumnFamilyStore("t");
      System.out.println("has " + table.metadata().params.memtable);
      System.exit(0);
    }
  }

  @Test
  void should_leave_rocksdb_alone_when_a_tool_loads_the_schema() throws Exception {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("tools"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      node.cql("SELECT k FROM k.t");
      node.stop();
    }
    Path rocks = settings.directory().resolve("data/curtail-rocksdb");
    Map<String, String> before = files(rocks);
    assertThat(before).containsKey("CURRENT");
    assertThat(run(settings)).contains("has ").contains("rocksdb");
    assertThat(files(rocks)).isEqualTo(before);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  private static String run(NodeSettings settings) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ChildJvm.java());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.addAll(NodeFlags.all());
    settings.write().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Tool.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** Names, sizes and when they were written. */
  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).collect(Collectors.toList())) {
        files.put(
            directory.relativize(file).toString(),
            Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    return files;
  }
}
