/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.engine.EngineMXBean;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Parameters;

/**
 * A command for tables, one after the other, with progress on the way; goes on with the next if one
 * fails.
 */
abstract class EngineTablesCommand extends EngineNodeCommand {
  private static final int PROGRESS_SECONDS = 5;
  private static final String ERROR = "error";

  /** Those that were named. */
  abstract List<String> named();

  /** Those that it is for if none was named. */
  abstract List<String> unnamed(EngineMXBean engine);

  /** Does it to one table; what came of it, for programs. */
  abstract Map<String, Object> run(EngineMXBean engine, String keyspace, String table)
      throws IOException;

  /** What came of it, for people. */
  abstract String text(Map<String, Object> result);

  @Override
  public final Integer call() throws IOException {
    List<String> named = named();
    named.forEach(TableName::parse); // before anything is done
    Map<String, Map<String, Object>> results = new LinkedHashMap<>();
    node.ask(
        engine -> {
          ScheduledExecutorService watch = tellProgress(engine);
          try {
            for (String name : named.isEmpty() ? unnamed(engine) : named) {
              results.put(name, runOrTell(engine, name));
            }
          } finally {
            watch.shutdownNow();
          }
          return null;
        });
    output.print(results, () -> lines(results));
    return results.values().stream().anyMatch(this::isFailed) ? 1 : 0;
  }

  /** Whether it is no good end. */
  boolean isFailed(Map<String, Object> result) {
    return result.containsKey(ERROR);
  }

  private Map<String, Object> runOrTell(EngineMXBean engine, String name) throws IOException {
    TableName parsed = TableName.parse(name);
    try {
      return run(engine, parsed.keyspace(), parsed.table());
    } catch (RemoteException e) {
      throw e;
    } catch (IOException | IllegalStateException e) {
      return failed(e);
    } catch (IllegalArgumentException e) {
      if (!named().isEmpty()) {
        throw e; // bad input
      }
      return failed(e); // dropped, or has moved, since it was listed
    }
  }

  /** Some of Cassandra's say nothing. */
  private static Map<String, Object> failed(Exception e) {
    return Map.of(ERROR, e.getMessage() == null ? e.toString() : e.getMessage());
  }

  private String lines(Map<String, Map<String, Object>> results) {
    StringBuilder lines = new StringBuilder();
    results.forEach(
        (name, result) ->
            lines
                .append(name)
                .append(": ")
                .append(result.containsKey(ERROR) ? result.get(ERROR) : text(result))
                .append('\n'));
    return lines.toString();
  }

  private ScheduledExecutorService tellProgress(EngineMXBean engine) {
    ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "progress");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        watch.scheduleWithFixedDelay(
            () -> progressLines(engine.getProgress()).forEach(output::progress),
            PROGRESS_SECONDS,
            PROGRESS_SECONDS,
            TimeUnit.SECONDS);
    return watch;
  }

  /** A command that says of each table how much was done. */
  abstract static class Counted extends EngineTablesCommand {
    /** What is done to a table. */
    interface Work {
      long on(EngineMXBean engine, String keyspace, String table) throws IOException;
    }

    private final String key;
    private final String sentence;
    private final Work work;

    /**
     * @param key how programs find the number; empty if there is none to tell
     * @param sentence the format of the number for people
     */
    Counted(String key, String sentence, Work work) {
      this.key = key;
      this.sentence = sentence;
      this.work = work;
    }

    @Override
    final Map<String, Object> run(EngineMXBean engine, String keyspace, String table)
        throws IOException {
      long count = work.on(engine, keyspace, table);
      return key.isEmpty() ? Map.of() : Map.of(key, count);
    }

    @Override
    final String text(Map<String, Object> result) {
      return String.format(Locale.ROOT, sentence, result.get(key));
    }
  }

  /** A command for all tables in RocksDB, or those that are named. */
  abstract static class OrAll extends Counted {
    private final boolean forIndexes;

    @Parameters(
        index = "1..*",
        arity = "0..*",
        paramLabel = "KEYSPACE.TABLE",
        description = "Which; all in RocksDB if none is given.")
    private List<String> tables = List.of();

    /**
     * @param forIndexes whether it is for tables of indexes, too
     */
    OrAll(String key, String sentence, Work work, boolean forIndexes) {
      super(key, sentence, work);
      this.forIndexes = forIndexes;
    }

    @Override
    final List<String> named() {
      return tables;
    }

    @Override
    final List<String> unnamed(EngineMXBean engine) {
      return engine.getTables().keySet().stream()
          .filter(name -> forIndexes || name.indexOf('.') == name.lastIndexOf('.'))
          .toList();
    }
  }
}
