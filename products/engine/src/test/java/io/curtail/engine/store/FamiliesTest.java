/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;

/** Column families that are made and dropped beside writes. */
class FamiliesTest {
  @Test
  void should_wait_for_writes_and_hold_others_up_when_a_column_family_comes_or_goes()
      throws Exception {
    EmbeddedNode node = TestNode.start();
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    Database database = TestNode.store(node.store("twin", "load")).database;
    String name = FamilyName.ofCopy().toString();
    whileOneWrites(database, () -> database.families.create(name));
    assertThat(database.families.get(name)).isNotNull();
    whileOneWrites(
        database,
        () -> {
          database.dropFamily(name);
          return name;
        });
    assertThat(database.families.get(name)).isNull();
  }

  private static void whileOneWrites(Database database, Callable<?> change) throws Exception {
    FutureTask<?> changing;
    FutureTask<?> later;
    OpOrder.Group unfinished = database.log.start();
    try {
      changing = inThread(change);
      await(FamiliesTest::isHoldingWritesUp);
      assertWaiting(changing);
      later =
          inThread(
              () -> {
                database.log.start().close();
                return null;
              });
      assertWaiting(later);
    } finally {
      unfinished.close();
    }
    changing.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
    later.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
  }

  /** Whether the thread that changes has come so far; it cannot go on. */
  private static boolean isHoldingWritesUp() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals("families-test"))
        .flatMap(thread -> Arrays.stream(thread.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals("awaitAll"));
  }

  private static void assertWaiting(FutureTask<?> task) {
    assertThatThrownBy(() -> task.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  private static FutureTask<?> inThread(Callable<?> action) {
    FutureTask<?> task = new FutureTask<>(action);
    new Thread(task, "families-test").start();
    return task;
  }
}
