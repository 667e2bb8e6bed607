/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;

/**
 * Many rows at once, on the node in this JVM: a write that waits for the disk holds up no other.
 */
final class Inserts {
  private static final int WRITERS = 8;

  private Inserts() {}

  /**
   * Runs a statement for each number.
   *
   * @param values of its markers, for a number
   */
  static void run(String statement, String from, String to, IntFunction<List<ByteBuffer>> values)
      throws Exception {
    // Parsed now: what Cassandra has cached may be of the table before it was altered.
    CQLStatement insert = QueryProcessor.parseStatement(statement, ClientState.forInternalCalls());
    AtomicInteger next = new AtomicInteger(Integer.parseInt(from));
    int end = Integer.parseInt(to);
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        parts.add(writers.submit(() -> insert(insert, next, end, values)));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } finally {
      writers.shutdown();
    }
  }

  private static void insert(
      CQLStatement insert, AtomicInteger next, int end, IntFunction<List<ByteBuffer>> values) {
    for (int k = next.getAndIncrement(); k < end; k = next.getAndIncrement()) {
      insert.execute(
          QueryState.forInternalCalls(),
          QueryOptions.forInternalCalls(ConsistencyLevel.ONE, values.apply(k)),
          Dispatcher.RequestTime.forImmediateExecution());
    }
  }
}
