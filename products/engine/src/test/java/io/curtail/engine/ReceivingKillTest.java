/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.call;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nodes that die while the rows of a stream are written to RocksDB: without {@code absorb}. */
class ReceivingKillTest {
  private static final int SENT = 700;
  private static final int OWN = 70;

  private final Path saved = TestNode.newDirectory("sent");
  private final NodeSettings settings = TestNode.settings(TestNode.newDirectory("receiving"));

  @Test
  void should_keep_every_row_raise_none_and_receive_the_rest_when_it_is_sent_again()
      throws IOException {
    try (NodeProcess sender =
        NodeProcess.start(TestNode.settings(TestNode.newDirectory("sending")))) {
      create(sender);
      call(sender, "fill k.t 0 " + SENT);
      sender.cql("DELETE FROM k.t WHERE k = 21");
      stream(sender, "save k t " + saved);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      create(node);
      call(node, "fill k.t " + SENT + " " + (SENT + OWN));
      node.cql("INSERT INTO k.t (k, v) VALUES (21, 0) USING TIMESTAMP 1");
      node.cql("DELETE FROM k.t WHERE k = 7");
      node.cql("UPDATE k.t SET v = 100 WHERE k = 14");
      dieReceiving(node, 0);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      checkOwn(node);
      assertThat(node.cql("SELECT k FROM k.t")).as("nothing was written").hasSize(OWN + 2);
      node.cql("DELETE FROM k.t WHERE k = 28");
      dieReceiving(node, SENT / 2);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      checkOwn(node);
      assertThat(node.cql("SELECT k FROM k.t")).hasSizeBetween(OWN + 10, SENT + OWN - 10);
      node.cql("DELETE FROM k.t WHERE k = 35");
      stream(node, "load k t " + saved);
      checkAll(node);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      checkOwn(node);
      checkAll(node);
    }
  }

  private static void create(NodeProcess node) throws IOException {
    node.cql(TestNode.KEYSPACE);
    node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
    await(() -> call(node, "builtIndexes k t").equals(List.of("v")));
  }

  private void dieReceiving(NodeProcess node, int place) throws IOException {
    String dies = String.format("loadAndDieWriting k t %s %d %d", saved, SENT, place);
    assertThatThrownBy(() -> stream(node, dies)).isInstanceOf(IOException.class);
    assertThat(files()).as("what was received").isNotEmpty();
  }

  /** What the node had by itself, and no file of a stream. */
  private void checkOwn(NodeProcess node) throws IOException {
    assertThat(files()).isEmpty();
    assertThat(node.cql("SELECT k FROM k.t WHERE k >= " + SENT + " ALLOW FILTERING")).hasSize(OWN);
    assertThat(node.cql("SELECT k FROM k.t WHERE k IN (7, 28)")).isEmpty();
    await(() -> call(node, "builtIndexes k t").equals(List.of("v")));
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 100")).containsExactly("k=14");
  }

  /** All that was sent, but for 7, 28 and 35, which are deleted here, and 21, there. */
  private static void checkAll(NodeProcess node) throws IOException {
    assertThat(node.cql("SELECT k FROM k.t")).hasSize(SENT + OWN - 4);
    assertThat(node.cql("SELECT k FROM k.t WHERE k IN (7, 21, 28, 35)")).isEmpty();
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 100")).containsExactly("k=14");
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 0")).hasSize((SENT + OWN) / 7 - 5);
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 6")).hasSize((SENT + OWN) / 7);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(settings.directory().resolve("data/k"))) {
      return files.filter(Files::isRegularFile).map(Path::toString).collect(Collectors.toList());
    }
  }

  private static String stream(NodeProcess node, String action) throws IOException {
    return String.join("", TestNode.call(node, NodeStreams.class, action));
  }
}
