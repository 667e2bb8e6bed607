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
 * @param hedged whether slow reads get a second copy
 */
record SimulatedPolicy(
    String name,
    String description,
    NamedPolicy ranking,
    SecondChance secondChance,
    boolean hedged) {
  static final String ORACLE = "oracle";

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
        true);
    add(
        all,
        "curtail-single-copy",
        "the same without second copies, for reads that must not be repeated",
        own,
        SecondChance.RETURNED,
        false);
    add(
        all,
        "curtail-passed-on",
        "the same, but a busy server passes a read straight on to another",
        own,
        SecondChance.PASSED_ON,
        false);
    add(
        all,
        "curtail-tied",
        "Curtail's ranking; a read that waits gets a tied second copy",
        own,
        SecondChance.TIED,
        false);
    add(
        all,
        "curtail-hedged",
        "Curtail's ranking; a slow read gets a second copy",
        own,
        SecondChance.NONE,
        true);
    add(
        all,
        "curtail-ranking-only",
        "Curtail's ranking alone, servers do nothing for it",
        own,
        SecondChance.NONE,
        false);
    for (NamedPolicy policy : Policies.all().values()) {
      if (policy != own) {
        add(all, policy.name(), policy.description(), policy, SecondChance.NONE, false);
      }
    }
    add(all, ORACLE, "sees true queues and speeds without delay", null, SecondChance.NONE, false);
    for (String ranking : new String[] {"c3-per-slot", "random", "c3-without-rate-control"}) {
      NamedPolicy policy = Policies.named(ranking);
      String returned = ranking + "-returned";
      add(all, returned, "busy servers return reads", policy, SecondChance.RETURNED, false);
      String hedged = ranking + "-hedged";
      add(all, hedged, "slow reads get a second copy", policy, SecondChance.NONE, true);
      String both = ranking + "-returned-hedged";
      add(all, both, "both", policy, SecondChance.RETURNED, true);
    }
    return all;
  }

  private static void add(
      Map<String, SimulatedPolicy> all,
      String name,
      String description,
      NamedPolicy ranking,
      SecondChance secondChance,
      boolean hedged) {
    all.put(name, new SimulatedPolicy(name, description, ranking, secondChance, hedged));
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
