/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.soak;

import io.curtail.campaign.Median;
import io.curtail.lab.cluster.NodeManagement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a soak saw, and whether it stayed flat by limits that are fixed beforehand. Immutable.
 *
 * @param rounds in the order of time
 */
record SoakResult(List<Round> rounds) {
  /** Live heap may grow by this share from the second third of the rounds to the last. */
  static final double HEAP_GROWTH_LIMIT = 0.1;

  /** And threads by so many, those left out that Cassandra keeps once it has needed them. */
  static final int THREAD_GROWTH_LIMIT = 3;

  private static final int FEWEST_ROUNDS = 6;

  /**
   * A stretch of load and the rest after it.
   *
   * @param endSecond since the beginning of the first
   * @param what happened to the nodes meanwhile
   * @param errors requests that failed, by kind
   * @param nodes what each node held at rest
   */
  record Round(
      double endSecond,
      String what,
      long requests,
      Map<String, Long> errors,
      double p50Millis,
      double p99Millis,
      double p999Millis,
      List<NodeAtRest> nodes) {}

  /**
   * @param threads of each pool
   * @param outstanding reads that the node still waits for as a coordinator, though nobody asks; 0
   *     without the plug-in
   * @param pluginErrors exceptions in Curtail's hooks since the node started; 0 without
   */
  record NodeAtRest(
      String node,
      long liveHeapBytes,
      SortedMap<String, Integer> threads,
      long outstanding,
      long pluginErrors) {
    /** Workers of Cassandra's stages: as many as ever were busy at once, it ends none. */
    int workers() {
      return threads.getOrDefault(NodeManagement.SHARED_POOL, 0);
    }

    int threadsButWorkers() {
      return threads.values().stream().mapToInt(Integer::intValue).sum() - workers();
    }
  }

  SoakResult {
    rounds = List.copyOf(rounds);
  }

  /** Why it was not flat, in words; empty if it was. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    if (rounds.size() < FEWEST_ROUNDS) {
      violations.add(
          "only " + rounds.size() + " rounds: too short to tell, take at least " + FEWEST_ROUNDS);
      return violations;
    }
    for (NodeAtRest node : rounds.get(0).nodes()) {
      double heap = growth(node.node(), NodeAtRest::liveHeapBytes);
      double before = median(node.node(), 1, NodeAtRest::liveHeapBytes);
      if (heap > HEAP_GROWTH_LIMIT * before) {
        violations.add(
            String.format(
                Locale.ROOT, "%s: heap grew by %.1f %%", node.node(), 100 * heap / before));
      }
      double threads = growth(node.node(), NodeAtRest::threadsButWorkers);
      if (threads > THREAD_GROWTH_LIMIT) {
        violations.add(
            String.format(
                Locale.ROOT,
                "%s: %.0f threads more, since the beginning %s",
                node.node(),
                threads,
                newThreads(node.node())));
      }
    }
    for (Round round : rounds) {
      for (NodeAtRest node : round.nodes()) {
        if (node.outstanding() != 0) {
          violations.add(
              String.format(
                  Locale.ROOT,
                  "%s: %d reads outstanding at rest after %.0f s",
                  node.node(),
                  node.outstanding(),
                  round.endSecond()));
        }
      }
      if (!round.errors().isEmpty()) {
        violations.add(
            String.format(
                Locale.ROOT,
                "requests failed after %.0f s: %s",
                round.endSecond(),
                round.errors()));
      }
    }
    for (NodeAtRest node : rounds.get(rounds.size() - 1).nodes()) {
      if (node.pluginErrors() != 0) {
        violations.add(node.node() + ": " + node.pluginErrors() + " exceptions in hooks");
      }
    }
    return violations;
  }

  /**
   * The pools that have more threads after the last round than after the first, by how many; but
   * for the workers of Cassandra's stages.
   */
  SortedMap<String, Integer> newThreads(String node) {
    SortedMap<String, Integer> more = new TreeMap<>(threads(node, rounds.size() - 1));
    threads(node, 0).forEach((pool, before) -> more.merge(pool, -before, Integer::sum));
    more.remove(NodeManagement.SHARED_POOL);
    more.values().removeIf(growth -> growth <= 0);
    return more;
  }

  private SortedMap<String, Integer> threads(String node, int round) {
    return at(rounds.subList(round, round + 1), node).findFirst().orElseThrow().threads();
  }

  private static Stream<NodeAtRest> at(List<Round> rounds, String node) {
    return rounds.stream()
        .flatMap(round -> round.nodes().stream())
        .filter(each -> each.node().equals(node));
  }

  /** From the median of the second third of the rounds to that of the last. */
  double growth(String node, ToDoubleFunction<NodeAtRest> of) {
    return median(node, 2, of) - median(node, 1, of);
  }

  private double median(String node, int third, ToDoubleFunction<NodeAtRest> of) {
    int from = third * rounds.size() / 3;
    int to = (third + 1) * rounds.size() / 3;
    double[] values = at(rounds.subList(from, to), node).mapToDouble(of).toArray();
    return values.length == 0 ? Double.NaN : Median.of(values);
  }

  /** One node's value at each rest. */
  double[] overTime(String node, ToDoubleFunction<NodeAtRest> of) {
    return at(rounds, node).mapToDouble(of).toArray();
  }

  double[] endSeconds() {
    return rounds.stream().mapToDouble(Round::endSecond).toArray();
  }

  List<String> nodes() {
    return rounds.isEmpty()
        ? List.of()
        : rounds.get(0).nodes().stream().map(NodeAtRest::node).toList();
  }

  long requests() {
    return rounds.stream().mapToLong(Round::requests).sum();
  }

  long failed() {
    return rounds.stream()
        .flatMap(round -> round.errors().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }
}
