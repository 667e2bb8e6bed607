/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Writers that move rows between the same few entries of an index, in all directions. */
class IndexedWritersTest {
  private static final int THREADS = 8;
  private static final int ROWS = 40;
  private static final int VALUES = 3;
  private static final int UPDATES = 500;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_not_wait_for_each_other_when_they_flip_an_indexed_value_both_ways() throws Exception {
    node.cql("CREATE TABLE twin.flipped (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX flipped_v ON twin.flipped (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(node.store("twin", "flipped"));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        writers.add(threads.submit(() -> update(random)));
      }
      for (Future<?> writer : writers) {
        writer.get(180, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    List<String> indexed = new ArrayList<>();
    IntStream.range(0, VALUES)
        .forEach(v -> indexed.addAll(node.rows("SELECT k, v FROM twin.flipped WHERE v = " + v)));
    assertThat(indexed)
        .containsExactlyInAnyOrderElementsOf(node.rows("SELECT k, v FROM twin.flipped"));
  }

  private void update(SplittableRandom random) {
    for (int i = 0; i < UPDATES; i++) {
      int v = random.nextInt(VALUES);
      node.cql("UPDATE twin.flipped SET v = " + v + " WHERE k = " + random.nextInt(ROWS));
    }
  }
}
