/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A policy with what the servers do for it.
 *
 * @param ranking how clients rank, or null for the oracle, which sees the servers themselves
 * @param secondChance what becomes of a read that would have to wait
 * @param copying which reads get more copies than they need
 */
record SimulatedPolicy(
    String name,
    String description,
    NamedPolicy ranking,
    SecondChance secondChance,
    Copying copying) {
  static final String ORACLE = "oracle";

  /** Of what {@code curtail-server} does by itself, nothing. */
  private static final Map<String, Object> STOCK_NODES =
      Map.of("nearestThreshold", -1, "ownReads", "answered", "refreshMillis", 0);

  /** Returns all policies by name, in the order in which to list them. */
  static Map<String, SimulatedPolicy> all() {
    Map<String, SimulatedPolicy> all = new LinkedHashMap<>();
    NamedPolicy own = Policies.named("curtail");
    add(
        all,
        "curtail",
        "Curtail's ranking; a busy server returns a read, a slow read gets a second copy",
        own,
        SecondChance.RETURNED,
        Copying.SLOW);
    add(
        all,
        "curtail-single-copy",
        "the same without second copies, for reads that must not be repeated",
        own,
        SecondChance.RETURNED,
        Copying.NONE);
    add(
        all,
        "curtail-passed-on",
        "the same, but a busy server passes a read straight on to another",
        own,
        SecondChance.PASSED_ON,
        Copying.NONE);
    add(
        all,
        "curtail-tied",
        "Curtail's ranking; a read that waits gets a tied second copy",
        own,
        SecondChance.TIED,
        Copying.NONE);
    add(
        all,
        "curtail-hedged",
        "Curtail's ranking; a slow read gets a second copy",
        own,
        SecondChance.NONE,
        Copying.SLOW);
    add(
        all,
        "curtail-ranking-only",
        "Curtail's ranking alone, servers do nothing for it",
        own,
        SecondChance.NONE,
        Copying.NONE);
    for (NamedPolicy policy : Policies.all().values()) {
      if (policy != own) {
        add(all, policy.name(), policy.description(), policy, SecondChance.NONE, Copying.NONE);
      }
    }
    add(
        all,
        "adaptive-hedged",
        "adaptive's ranking; a slow request gets a second copy, by AdaptiveSpeculativeExecution",
        Policies.named("adaptive"),
        SecondChance.NONE,
        Copying.BY_DRIVER);
    addRivals(all);
    add(
        all,
        ORACLE,
        "sees true queues and speeds without delay",
        null,
        SecondChance.NONE,
        Copying.NONE);
    for (String ranking : new String[] {"c3-per-slot", "random", "c3-without-rate-control"}) {
      NamedPolicy policy = Policies.named(ranking);
      String returned = ranking + "-returned";
      add(all, returned, "busy servers return reads", policy, SecondChance.RETURNED, Copying.NONE);
      String hedged = ranking + "-hedged";
      add(all, hedged, "slow reads get a second copy", policy, SecondChance.NONE, Copying.SLOW);
      String both = ranking + "-returned-hedged";
      add(all, both, "both", policy, SecondChance.RETURNED, Copying.SLOW);
    }
    return all;
  }

  /**
   * Returns the cluster as this policy finds it: a node with Cassandra's dynamic snitch probes
   * none, keeps no read near and hears of its own reads as of all others; the oracle needs no such
   * thing.
   */
  SimulatedScenario in(SimulatedScenario cluster) {
    boolean stock = ranking == null || name.startsWith("dynamic-snitch");
    return stock ? cluster.with(STOCK_NODES) : cluster;
  }

  /** What no host can run: {@code Policies} says why. */
  private static void addRivals(Map<String, SimulatedPolicy> all) {
    NamedPolicy random = Policies.named("random");
    NamedPolicy c3 = Policies.named("c3-without-rate-control");
    add(
        all,
        "hedge-with-budget",
        "C3's ranking; a copy after the server's p90, for 10 % of the reads (bhope/hedge)",
        c3,
        SecondChance.NONE,
        Copying.BUDGETED);
    add(
        all,
        "on-off",
        "C3's ranking; reads wait at clients while all replicas are bad (JPDC 2019;"
            + " reconstruction)",
        c3,
        SecondChance.HELD_BACK,
        Copying.NONE);
    add(
        all,
        "netclone",
        "a switch sends a read to two if none waits at either (SIGCOMM 2023; reconstruction)",
        random,
        SecondChance.NONE,
        Copying.CLONED);
    add(
        all,
        "netclone-racksched",
        "the same; else to the one of the two where fewer wait (reconstruction)",
        random,
        SecondChance.NONE,
        Copying.CLONED_OR_SHORTER_QUEUE);
    add(
        all,
        "das",
        "any replica, and always a copy that makes way for reads (2019; reconstruction)",
        random,
        SecondChance.NONE,
        Copying.ALL_INTERRUPTIBLE);
    add(
        all,
        "c3-das",
        "the same with C3's ranking (reconstruction)",
        c3,
        SecondChance.NONE,
        Copying.ALL_INTERRUPTIBLE);
    add(
        all,
        "c3-das-queued",
        "the same where no service can be interrupted (reconstruction)",
        c3,
        SecondChance.NONE,
        Copying.ALL);
  }

  private static void add(
      Map<String, SimulatedPolicy> all,
      String name,
      String description,
      NamedPolicy ranking,
      SecondChance secondChance,
      Copying copying) {
    all.put(name, new SimulatedPolicy(name, description, ranking, secondChance, copying));
  }

  /**
   * Returns the policy of that name.
   *
   * @throws IllegalArgumentException if there is none; the message names all there are
   */
  static SimulatedPolicy named(String name) {
    Map<String, SimulatedPolicy> all = all();
    if (!all.containsKey(name)) {
      throw new IllegalArgumentException(
          "there is no policy '" + name + "'; there are " + String.join(", ", all.keySet()));
    }
    return all.get(name);
  }
}
