/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.rate.RateControls;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Every policy by the one name that the driver, the server and the simulator use for it. */
public final class Policies {
  private static final Map<String, NamedPolicy> ALL = new LinkedHashMap<>();

  /** Rivals that only the simulator runs, and what no host does for them. */
  private static final Map<String, String> SIMULATED_ONLY =
      Map.of(
          "on-off",
          "its clients hold reads back while all replicas are off",
          "netclone",
          "its switch clones reads, and servers drop clones that would wait",
          "netclone-racksched",
          "its switch clones reads, and servers drop clones that would wait",
          "das",
          "its servers stop copies in the middle to serve other reads",
          "c3-das",
          "its servers stop copies in the middle to serve other reads",
          "c3-das-queued",
          "its servers let copies wait behind all reads that come later",
          "hedge-with-budget",
          "its copies wait at servers, whatever else waits there");

  static {
    add("curtail", "Curtail's own", s -> new CurtailPolicy(s.clients, s.feedbackMemoryNanos))
        .measuredBy(CurtailPolicy.LOAD);
    add("c3", "C3 with cubic rate control (Suresh et al., NSDI 2015)", Policies::c3)
        .limitedBy(RateControls.CUBIC, "c3-without-rate-control");
    add("c3-without-rate-control", "C3's ranking alone", Policies::c3);
    add(
            "c3-per-slot",
            "C3's ranking, its queues divided by what a server serves at once",
            s -> c3(s, true))
        .measuredBy(C3Policy.PER_SLOT_LOAD);
    add("random", "any replica", s -> new RandomPolicy());
    add("round-robin", "each replica in turn", s -> new RoundRobinPolicy());
    add(
            "round-robin-rate-controlled",
            "each replica in turn, with C3's rate control",
            s -> new RoundRobinPolicy())
        .limitedBy(RateControls.CUBIC, "round-robin");
    add(
            "least-outstanding",
            "fewest of this client's requests unanswered (LOR)",
            s -> new LeastOutstandingPolicy(s.tiesInOrder))
        .needs(HostAbility.COUNT_OUTSTANDING_EVERYWHERE);
    add("power-of-two", "the less loaded of two drawn at random", s -> new PowerOfTwoPolicy())
        .needs(HostAbility.COUNT_OUTSTANDING_EVERYWHERE);
    add("peak-ewma", "Finagle's peak EWMA, of two drawn at random", s -> new PeakEwmaPolicy())
        .measuredBy(PeakEwmaPolicy.LOAD)
        .needs(HostAbility.COUNT_OUTSTANDING_EVERYWHERE);
    add(
            "dynamic-snitch",
            "Cassandra 5.0's dynamic snitch",
            s -> new DynamicSnitchPolicy(s.badnessThreshold))
        .measuredBy(DynamicSnitchPolicy.LOAD)
        .needs(HostAbility.TELL_EACH_ANSWER);
    add(
            "dynamic-snitch-p90",
            "the same by p90 in microseconds, as DataStax's (reconstruction)",
            s -> new DynamicSnitchPolicy(s.badnessThreshold))
        .measuredBy(DynamicSnitchPolicy.P90_LOAD)
        .needs(HostAbility.TELL_EACH_ANSWER);
    add(
            "tars",
            "C3 that believes only fresh reports (ICCCN 2017; reconstruction, ranking alone)",
            s -> new TarsPolicy(s.clients))
        .measuredBy(TarsPolicy.LOAD)
        .needs(HostAbility.TELL_EACH_ANSWER);
    add(
            "adaptive-replica-selection",
            "Elasticsearch's variant of C3",
            s -> new AdaptiveReplicaSelectionPolicy(s.clients))
        .measuredBy(AdaptiveReplicaSelectionPolicy.LOAD);
    add("prequal", "asynchronous probes, hot and cold (NSDI 2024)", s -> new PrequalPolicy())
        .measuredBy(PrequalPolicy.LOAD)
        .needs(HostAbility.SEND_PROBES, HostAbility.COUNT_OUTSTANDING_EVERYWHERE);
    add(
            "weighted-least-loaded",
            "Netflix's policy, as the driver runs it",
            s -> new WeightedLeastLoadedRanking())
        .measuredBy(WeightedLeastLoadedRanking.LOAD)
        .needs(HostAbility.COUNT_OUTSTANDING_EVERYWHERE, HostAbility.WEIGH_DISTANCE);
    add(
            "adaptive",
            "least expected delay, as the driver's AdaptivePolicy",
            s -> new LeastDelayPolicy(s.responseMemoryNanos))
        .measuredBy(LeastDelayPolicy.LOAD)
        .needs(HostAbility.COUNT_OUTSTANDING_EVERYWHERE, HostAbility.WEIGH_DISTANCE);
    add("driver-default", "the Java driver's default", s -> new DriverDefaultPolicy())
        .measuredBy(DriverDefaultPolicy.LOAD)
        .needs(HostAbility.COUNT_OUTSTANDING_EVERYWHERE);
  }

  private Policies() {}

  private static RankingPolicy c3(PolicySettings settings) {
    return c3(settings, false);
  }

  private static RankingPolicy c3(PolicySettings settings, boolean perSlot) {
    return new C3Policy(settings.exponent, settings.clients, perSlot);
  }

  private static NamedPolicy add(String name, String description, NamedPolicy.Factory factory) {
    NamedPolicy policy = new NamedPolicy(name, description, factory);
    ALL.put(name, policy);
    return policy;
  }

  /** Returns all policies by name, in the order in which to list them. */
  public static Map<String, NamedPolicy> all() {
    return Collections.unmodifiableMap(ALL);
  }

  /**
   * Returns the policy of that name.
   *
   * @throws IllegalArgumentException if there is none; the message names all there are, or says why
   *     no host can run it
   */
  public static NamedPolicy named(String name) {
    NamedPolicy policy = ALL.get(name);
    if (policy == null && SIMULATED_ONLY.containsKey(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' runs in the simulator only: " + SIMULATED_ONLY.get(name));
    }
    if (policy == null) {
      throw new IllegalArgumentException(
          "there is no policy '"
              + name
              + "'; there are "
              + ALL.keySet().stream().collect(Collectors.joining(", ")));
    }
    return policy;
  }
}
