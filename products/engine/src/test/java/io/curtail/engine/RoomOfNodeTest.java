/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a node does of itself where compactions may use nothing of the disk. */
class RoomOfNodeTest {
  private static final int ROWS = 64;
  private static final int ROW_BYTES = 16 << 10;

  @Test
  void should_warn_that_garbage_stays_and_answer() throws IOException {
    NodeSettings settings =
        TestNode.settings(TestNode.newDirectory("roomless"))
            .yaml("max_space_usable_for_compactions_in_percentage", "0.000000001");
    TestNode.with(settings, Map.of("write_buffer", "64KiB"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
      Random random = new Random(1);
      for (int row = 0; row < ROWS; row++) {
        String value = new BigInteger(Byte.SIZE * ROW_BYTES, random).toString(16);
        node.cql("INSERT INTO k.t (k, v) VALUES (" + row + ", 0x" + even(value) + ")");
      }
      await(() -> logOf(settings).contains("takes more than the 0 MiB that compactions may use"));
      assertThat(node.cql("SELECT k FROM k.t WHERE k = 0")).containsExactly("k=0");
    }
  }

  private static String even(String digits) {
    return digits.length() % 2 == 0 ? digits : "0" + digits;
  }

  private static String logOf(NodeSettings settings) {
    try {
      return Files.readString(settings.directory().resolve("logs/system.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
