/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import io.curtail.engine.trials.fuzz.RandomTable.Column;
import io.curtail.engine.trials.fuzz.RandomTable.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random table and what is done to it, all from one seed: the same seed is the same script.
 *
 * @param seed what it was made from
 * @param creation the statements that make the table
 * @param steps what is done, with {@code restarts} steps that restart the node
 */
record Script(long seed, List<String> creation, List<ScriptStep> steps) {
  static final int RESTARTS = 1;

  /**
   * @param operations how many writes, batches, schema changes and events there are; queries come
   *     on top
   */
  static Script random(long seed, int operations) {
    return new Writer(seed).write(operations);
  }

  Script with(List<ScriptStep> otherSteps) {
    return new Script(seed, creation, otherSteps);
  }

  /** Writes one script. */
  private static final class Writer {
    private final long seed;
    private final Random random;
    private final RandomTable table;
    private final RandomWrites writes;
    private final RandomQueries queries;
    private final boolean sweeps;
    private final List<ScriptStep> steps = new ArrayList<>();
    private boolean isInRocks = true;

    Writer(long seed) {
      this.seed = seed;
      random = new Random(seed * 0x9E3779B97F4A7C15L);
      table = new RandomTable(random);
      // An expired cell that a sweep made a tombstone wins ties that it lost before. Cassandra's
      // own compaction has that too: so timestamps only grow, or there is no sweep, or no expiry.
      // What a counter is after its deletion depends on compactions in Cassandra too.
      sweeps = !table.isCounter && (table.forgets || !table.expires());
      writes = new RandomWrites(random, table);
      queries = new RandomQueries(random, table);
    }

    Script write(int operations) {
      List<String> creation = new ArrayList<>();
      for (int i = 0; i < table.userTypes(); i++) {
        creation.add(table.createType(i));
      }
      creation.add(table.create());
      if (table.index() != null) {
        creation.add(table.index().create());
      }
      int restart = random.nextInt(operations);
      for (int i = 0; i < operations; i++) {
        operation();
        if (i == restart) {
          everything();
          steps.add(ScriptStep.of(ScriptStep.Kind.RESTART));
          epoch();
          everything();
        }
        if (random.nextInt(3) == 0) {
          query();
        }
        if (random.nextInt(12) == 0) {
          everything();
        }
      }
      steps.add(new ScriptStep(ScriptStep.Kind.PASS, "1000000"));
      everything();
      steps.add(ScriptStep.of(ScriptStep.Kind.COMPACT));
      for (int i = 0; i < 10; i++) {
        query();
      }
      everything();
      return new Script(seed, creation, steps);
    }

    private void operation() {
      int choice = random.nextInt(100);
      if (choice < 86) {
        steps.add(new ScriptStep(ScriptStep.Kind.WRITE, writes.next()));
      } else if (choice < 90) {
        int seconds = List.of(1, 5, 60, 100, 100_000).get(random.nextInt(5));
        steps.add(new ScriptStep(ScriptStep.Kind.PASS, Integer.toString(seconds)));
      } else if (choice < 92) {
        alter();
      } else if (choice < 94) {
        steps.add(ScriptStep.of(ScriptStep.Kind.FLUSH));
      } else if (choice < 96) {
        steps.add(ScriptStep.of(ScriptStep.Kind.COMPACT));
      } else if (choice < 98) {
        if (sweeps) {
          steps.add(ScriptStep.of(ScriptStep.Kind.SWEEP));
          epoch();
        }
      } else if (choice < 99) {
        if (sweeps) {
          steps.add(ScriptStep.of(ScriptStep.Kind.COMPACT_STOCK));
          epoch();
        }
      } else if (random.nextBoolean()) {
        // A move flushes, and of a deleted counter a flush forgets what a partition deletion
        // covers.
        if (!table.isCounter) {
          steps.add(new ScriptStep(ScriptStep.Kind.MOVE, isInRocks ? "default" : "rocksdb"));
          isInRocks = !isInRocks;
          if (isInRocks && random.nextInt(3) > 0) {
            steps.add(ScriptStep.of(ScriptStep.Kind.ABSORB));
          }
        }
      } else if (random.nextInt(3) == 0) {
        steps.add(new ScriptStep(ScriptStep.Kind.WRITE, "TRUNCATE #"));
      }
    }

    private void epoch() {
      steps.add(ScriptStep.of(ScriptStep.Kind.EPOCH));
    }

    private void alter() {
      List<Column> droppable = new ArrayList<>(table.of(Kind.REGULAR, Kind.STATIC));
      droppable.removeIf(table::isIndexed);
      int choice = table.isCompact ? 2 : random.nextInt(4);
      if (choice == 0 && table.dropsColumns && droppable.size() > 1) {
        Column column = droppable.get(random.nextInt(droppable.size()));
        table.drop(column);
        schema("DROP " + column.name());
      } else if (choice == 1 && !table.dropped().isEmpty()) {
        Column column = table.dropped().get(0);
        table.addAgain(column);
        schema("ADD " + column.definition());
      } else if (choice == 2) {
        List<Column> keys = table.of(Kind.PARTITION, Kind.CLUSTERING);
        Column key = keys.get(random.nextInt(keys.size()));
        String name = table.newName();
        table.rename(key, name);
        schema("RENAME " + key.name() + " TO " + name);
      } else {
        boolean isStatic = !table.of(Kind.CLUSTERING).isEmpty() && random.nextInt(3) == 0;
        int types = table.userTypes();
        Column column = table.addColumn(isStatic ? Kind.STATIC : Kind.REGULAR);
        for (int i = types; i < table.userTypes(); i++) {
          steps.add(new ScriptStep(ScriptStep.Kind.SCHEMA, table.createType(i)));
        }
        schema("ADD " + column.definition());
      }
      everything();
    }

    private void schema(String change) {
      steps.add(new ScriptStep(ScriptStep.Kind.SCHEMA, "ALTER TABLE # " + change));
    }

    private void query() {
      String query = queries.next();
      if (random.nextInt(4) == 0) {
        pages(query);
      } else {
        steps.add(new ScriptStep(ScriptStep.Kind.QUERY, query));
      }
    }

    private void pages(String query) {
      int rows = 1 + random.nextInt(4);
      steps.add(new ScriptStep(ScriptStep.Kind.PAGES, rows + " " + query));
    }

    private void everything() {
      if (random.nextInt(3) == 0) {
        pages(queries.everything());
      } else {
        steps.add(new ScriptStep(ScriptStep.Kind.QUERY, queries.everything()));
      }
    }
  }
}
