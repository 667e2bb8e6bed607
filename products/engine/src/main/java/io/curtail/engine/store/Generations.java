/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.LogReplay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each generation of each table is to the node, kept in the {@link Catalog}: written down
 * before it is acted on, so that a process that dies at any point leaves enough to go on. Who asks
 * gets what is on the disk, and does not wait for a step that is being taken.
 *
 * <p>Thread-safe.
 */
public final class Generations {
  private static final Logger logger = LoggerFactory.getLogger(Generations.class);

  private final Catalog catalog;

  /** Replaced under the monitor, read without it: a step may wait long for RocksDB. */
  private volatile Map<FamilyName, GenerationState> states;

  Generations(Catalog catalog) {
    this.catalog = catalog;
    Map<FamilyName, GenerationState> found = new HashMap<>();
    catalog.generations().forEach((name, state) -> found.put(FamilyName.parse(name), state));
    states = found;
  }

  /**
   * Makes the catalog and the column families agree after a start.
   *
   * @return the column families to drop
   * @throws ConfigurationException if rows are missing
   */
  synchronized List<String> recover(Set<String> families) {
    List<String> useless = new ArrayList<>();
    for (String family : families) {
      FamilyName name = FamilyName.parse(family);
      GenerationState state = states.get(name);
      if (state == GenerationState.CREATING) {
        set(name, GenerationState.SERVING);
      } else if (state == null || !state.isLive()) {
        useless.add(family);
      }
    }
    for (FamilyName name : states.keySet()) {
      if (!families.contains(name.toString())) {
        if (states.get(name).isLive()) {
          throw new ConfigurationException(
              "rocksdb memtable: the rows of " + name + " are not there" + LogReplay.ADVICE, false);
        }
        forget(name);
      }
    }
    return useless;
  }

  /** Takes a step, which is on the disk when this returns. */
  public void set(FamilyName name, GenerationState next) {
    set(List.of(name), next);
  }

  /** Takes the same step with several: all of them are on the disk when this returns, or none. */
  public synchronized void set(List<FamilyName> names, GenerationState next) {
    Map<String, GenerationState> steps = new HashMap<>();
    for (FamilyName name : names) {
      GenerationState before = states.get(name);
      if (before != null && before != next && !before.mayBecome(next)) {
        throw new IllegalStateException(name + " is " + before + " and cannot be " + next);
      }
      if (before != next) {
        steps.put(name.toString(), next);
      }
    }
    if (steps.isEmpty()) {
      return;
    }
    catalog.setGenerations(steps);
    Map<FamilyName, GenerationState> after = new HashMap<>(states);
    names.forEach(name -> after.put(name, next));
    states = after;
    logger.info("{} is {}", String.join(", ", steps.keySet()), next);
  }

  /** The column family is about to go. */
  synchronized void end(FamilyName name) {
    GenerationState before = states.get(name);
    if (before != null && before.mayBecome(GenerationState.DEAD)) {
      set(name, GenerationState.DEAD);
    }
  }

  /** The column family is gone: what the catalog cannot forget now is no harm to a start. */
  synchronized void forget(FamilyName name) {
    Map<FamilyName, GenerationState> after = new HashMap<>(states);
    if (after.remove(name) != null) {
      states = after; // or a generation of the same name could not be made before a start
      catalog.removeGeneration(name.toString());
    }
  }

  /** The generations of a table that have rows of it, oldest first. */
  public List<FamilyName> live(String table) {
    List<FamilyName> live = new ArrayList<>();
    states.forEach(
        (name, state) -> {
          if (name.table.equals(table) && state.isLive()) {
            live.add(name);
          }
        });
    live.sort(Comparator.comparingInt(name -> name.generation));
    return live;
  }

  /** All tables that have rows here, as {@code keyspace/table/id}. */
  public Set<String> tables() {
    Set<String> tables = new HashSet<>();
    states.forEach(
        (name, state) -> {
          if (state.isLive()) {
            tables.add(name.table);
          }
        });
    return tables;
  }

  boolean isEmpty() {
    return states.isEmpty();
  }
}
