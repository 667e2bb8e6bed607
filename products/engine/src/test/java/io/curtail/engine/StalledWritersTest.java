/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers that wait for RocksDB to write files. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledWritersTest {
  private static final String FAILED = "RocksDB failed in the background";

  /**
   * RocksDB goes on with a flush, which must not wait for a writer that waits for a flush. Who may
   * not mount a small disk tries it without the full one.
   */
  @Test
  void should_go_on_after_a_full_disk_that_they_met_while_they_waited() throws Exception {
    Path disk = TestNode.newDirectory("small");
    boolean isSmall = run("mount", "-t", "tmpfs", "-o", "size=64m", "curtail", disk.toString());
    try {
      NodeSettings settings =
          TestNode.settings(TestNode.newDirectory("filled")).yaml("disk_failure_policy", "ignore");
      TestNode.with(settings, Map.of("path", disk.resolve("rocksdb").toString()));
      goOn(settings, isSmall ? disk.resolve("ballast") : null);
    } finally {
      if (isSmall) {
        assertThat(run("umount", disk.toString())).isTrue();
      }
    }
  }

  /** As the pages say: nobody writes, and who asks the node to talk again has all that it had. */
  @Test
  void should_talk_again_when_asked_once_rocksdb_has_recovered_where_the_policy_is_stop()
      throws Exception {
    Path disk = TestNode.newDirectory("stopped-small");
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64m", "curtail", disk.toString()));
    try {
      NodeSettings settings =
          TestNode.settings(TestNode.newDirectory("stopped")).yaml("disk_failure_policy", "stop");
      TestNode.with(settings, Map.of("path", disk.resolve("rocksdb").toString()));
      talkAgain(settings, disk.resolve("ballast"));
    } finally {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  private static void talkAgain(NodeSettings settings, Path ballast) throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
      TestNode.call(node, "stall k.t");
      fill(ballast);
      TestNode.call(node, "endStall");
      await(() -> TestNode.call(node, "talks").equals(List.of("false")));
      Files.delete(ballast);
      await(() -> logOf(settings).contains("RocksDB takes writes again"));
      TestNode.call(node, "talk");
      assertThat(TestNode.call(node, "talks")).containsExactly("true");
      assertThat(takesWrite(node)).isTrue();
    }
  }

  private static void goOn(NodeSettings settings, Path ballast) throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
      TestNode.call(node, "stall k.t");
      if (ballast != null) {
        fill(ballast);
      }
      TestNode.call(node, "endStall");
      if (ballast != null) {
        await(() -> logOf(settings).contains(FAILED));
        Files.delete(ballast);
      }
      await(() -> takesWrite(node));
      assertThat(node.cql("SELECT k FROM k.t WHERE k = 0")).containsExactly("k=0");
      assertThat(stalledMicros(node)).isPositive();
    }
  }

  private static void fill(Path ballast) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(new byte[4_096]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  private static String logOf(NodeSettings settings) {
    try {
      return Files.readString(settings.directory().resolve("logs/system.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean takesWrite(NodeProcess node) {
    try {
      node.cql("INSERT INTO k.t (k) VALUES (-1)");
      return true;
    } catch (IllegalStateException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long stalledMicros(NodeProcess node) throws IOException {
    String row =
        node.cql("SELECT value FROM curtail_engine.metrics WHERE name = 'StalledMicros'").get(0);
    return Long.parseLong(row.substring(row.indexOf('=') + 1));
  }
}
