/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Writes in the node until it is killed, and notes in a file what was answered. Half of the threads
 * prepare their statements once, as applications do: Cassandra keeps what a table was at that time.
 */
public final class CrashWriters {
  private static final MapType<Integer, Integer> MAP =
      MapType.getInstance(Int32Type.instance, Int32Type.instance, true);

  private CrashWriters() {}

  /**
   * Starts threads that write, each to its own partition.
   *
   * @param directory for the notes: a file a partition, a line for each operation answered; and one
   *     with the error for a partition where an operation failed
   */
  public static void start(String directory, String firstPartition, String threads) {
    for (int i = 0; i < Integer.parseInt(threads); i++) {
      int partition = Integer.parseInt(firstPartition) + i;
      Thread thread = new Thread(() -> write(Path.of(directory), partition), "writer-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void write(Path directory, int partition) {
    Map<String, CQLStatement> prepared = partition % 2 == 0 ? null : new HashMap<>();
    // Not buffered: what is in the file survives the process.
    try (FileOutputStream notes =
        new FileOutputStream(directory.resolve("answered-" + partition).toFile())) {
      for (int n = 1; ; n++) {
        run(CrashTables.operation(partition, n), prepared);
        notes.write((n + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      fail(directory.resolve("failed-" + partition), e);
    }
  }

  /** No operation is refused while the node lives. */
  private static void fail(Path notes, RuntimeException error) {
    try {
      Files.writeString(notes, error.toString());
    } catch (IOException e) {
      error.addSuppressed(e);
      throw error;
    }
  }

  private static void run(CrashTables.Operation operation, Map<String, CQLStatement> prepared) {
    if (prepared == null) {
      QueryProcessor.process(operation.text(), ConsistencyLevel.ONE);
      return;
    }
    List<ByteBuffer> values = operation.values().stream().map(CrashWriters::bytes).toList();
    prepared
        .computeIfAbsent(
            operation.statement(),
            text -> QueryProcessor.parseStatement(text, ClientState.forInternalCalls()))
        .execute(
            QueryState.forInternalCalls(),
            QueryOptions.forInternalCalls(ConsistencyLevel.ONE, values),
            Dispatcher.RequestTime.forImmediateExecution());
  }

  @SuppressWarnings("unchecked")
  private static ByteBuffer bytes(Object value) {
    return value instanceof Map
        ? MAP.decompose((Map<Integer, Integer>) value)
        : ByteBufferUtil.bytes((Integer) value);
  }
}
