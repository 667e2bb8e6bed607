/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.engine.trials.crash.CrashTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is done to a cluster, and when: a function of the seed, the number of nodes and the kinds
 * that may be, and of nothing else, so that a run can be done again. Endless. Not thread-safe.
 */
public final class Plan {
  /** The tables' names, and the view's. */
  static final List<String> TABLES;

  static final String VIEW = "indexed_by_v";

  /** The table that may lose its rows. */
  static final String EMPTIED = "wide";

  static {
    List<String> all = new ArrayList<>(CrashTables.TABLES);
    all.add(VIEW);
    all.add(PurgedTable.NAME);
    TABLES = List.copyOf(all);
  }

  private static final int REPLICAS = 3;
  private static final int MOST_BETWEEN_MILLIS = 3_000;
  private static final int MOST_STRIKE_MILLIS = 2_000;
  private static final int MOST_STREAMING_MILLIS = 800;
  private static final int LEAST_LASTING_MILLIS = 200;
  private static final int MOST_LASTING_MILLIS = 12_000;
  private static final double STRUCK = 0.4;
  private static final List<String> REPAIRS =
      List.of("full", "sequential", "subrange", "preview", "incremental");
  private static final List<String> MAINTENANCE = List.of("flush", "compact", "sweep");

  private final Random random;
  private final List<Kind> kinds;
  private final TreeSet<Integer> members = new TreeSet<>();
  private final int nodes;
  private int out;
  private int number;

  /**
   * @param nodes how many there are, all of them members at first
   * @param kinds that may be; those that a cluster cannot do yet are left out by themselves
   */
  public Plan(long seed, int nodes, Set<Kind> kinds) {
    random = new Random(seed);
    this.nodes = nodes;
    this.kinds = new ArrayList<>(new TreeSet<>(kinds));
    for (int node = 1; node <= nodes; node++) {
      members.add(node);
    }
  }

  /** Whether a node has the engine: each second, from the first on. */
  static boolean hasEngine(int node) {
    return node % 2 == 1;
  }

  /** The first steps of the plan. */
  public List<Step> steps(int count) {
    List<Step> steps = new ArrayList<>();
    while (steps.size() < count) {
      steps.add(next());
    }
    return steps;
  }

  Step next() {
    Kind kind = kind();
    int node = node(kind);
    long after = random.nextInt(MOST_BETWEEN_MILLIS);
    String what = what(kind);
    long millis = lasts(kind) ? lasting() : 0;
    Optional<Step.Strike> strike = strike(kind, node);
    follow(kind, node);
    return new Step(++number, kind, after, node, what, millis, strike);
  }

  private Kind kind() {
    List<Kind> possible = kinds.stream().filter(this::isPossible).toList();
    int choice = random.nextInt(possible.stream().mapToInt(kind -> kind.weight).sum());
    for (Kind kind : possible) {
      choice -= kind.weight;
      if (choice < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("no kind of step is possible");
  }

  private boolean isPossible(Kind kind) {
    return switch (kind) {
      case DECOMMISSION, REMOVE -> out == 0 && nodes > REPLICAS;
      case BOOTSTRAP, REPLACE -> out != 0;
      case FULL_DISK -> members.stream().anyMatch(Plan::hasEngine);
      default -> true;
    };
  }

  private int node(Kind kind) {
    return switch (kind) {
      case BOOTSTRAP -> out;
      case FULL_DISK -> one(members.stream().filter(Plan::hasEngine).toList());
      default -> one(List.copyOf(members));
    };
  }

  private void follow(Kind kind, int node) {
    switch (kind) {
      case DECOMMISSION, REMOVE -> {
        members.remove(node);
        out = node;
      }
      case BOOTSTRAP -> {
        members.add(node);
        out = 0;
      }
      case REPLACE -> {
        members.remove(node);
        members.add(out);
        out = node;
      }
      default -> {}
    }
  }

  private String what(Kind kind) {
    return switch (kind) {
      case MOVE -> tableMove();
      case FULL_DISK -> one(fullDisk());
      case REPAIR -> one(REPAIRS);
      case MAINTAIN -> one(MAINTENANCE) + " " + one(TABLES);
      case REPLACE -> "by node " + out;
      case MOVE_TOKEN -> "back by " + (1 + random.nextInt(4)) + " eighths of its part";
      default -> "";
    };
  }

  private List<String> fullDisk() {
    String move = "move " + tableMove();
    String killed = DiskWithoutRoom.KILLED;
    return List.of("", killed, move, move + ", " + killed, "repair", "index");
  }

  private String tableMove() {
    return one(TABLES) + " to " + one(List.of("rocksdb", "default"));
  }

  private static boolean lasts(Kind kind) {
    return kind == Kind.KILL || kind == Kind.PAUSE || kind == Kind.FULL_DISK;
  }

  /** Short times are as likely as long ones: others notice some of them and miss some. */
  private long lasting() {
    double share = random.nextDouble();
    return LEAST_LASTING_MILLIS + (long) (share * share * MOST_LASTING_MILLIS);
  }

  /** Not so long that others take the node for dead. */
  private long briefly() {
    return (long) LEAST_LASTING_MILLIS + random.nextInt(MOST_LASTING_MILLIS / 8);
  }

  private Optional<Step.Strike> strike(Kind kind, int node) {
    if (kind.strikes == Kind.Strikes.NONE || random.nextDouble() >= STRUCK) {
      return Optional.empty();
    }
    boolean kills = random.nextBoolean();
    if (kind.strikes == Kind.Strikes.STREAMS && kills) {
      return Optional.of(inStreams(kind, node));
    }
    return Optional.of(
        new Step.Strike(
            one(List.copyOf(members)),
            0,
            random.nextInt(MOST_STRIKE_MILLIS),
            kills ? 0 : kind.strikes == Kind.Strikes.ANY ? lasting() : briefly()));
  }

  /** The one that streams is killed as often as all that it streams with. */
  private Step.Strike inStreams(Kind kind, int node) {
    int streaming = kind == Kind.BOOTSTRAP || kind == Kind.REPLACE ? out : node;
    List<Integer> others = members.stream().filter(member -> member != node).toList();
    int killed = random.nextBoolean() ? streaming : one(others);
    return new Step.Strike(killed, streaming, soon(), 0);
  }

  /** Tables are small, and most streams of them over in a second. */
  private long soon() {
    double share = random.nextDouble();
    return (long) (share * share * MOST_STREAMING_MILLIS);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
