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
 */
record SimulatedPolicy(
    String name, String description, NamedPolicy ranking, SecondChance secondChance) {
  static final String ORACLE = "oracle";

  /** Returns all policies by name, in the order in which to list them. */
  static Map<String, SimulatedPolicy> all() {
    Map<String, SimulatedPolicy> all = new LinkedHashMap<>();
    NamedPolicy own = Policies.named("curtail");
    add(
        all,
        "curtail",
        "Curtail's ranking; a busy server returns a read, its client sends it elsewhere",
        own,
        SecondChance.RETURNED);
    add(
        all,
        "curtail-passed-on",
        "Curtail's ranking; a busy server passes a read straight on to another",
        own,
        SecondChance.PASSED_ON);
    add(
        all,
        "curtail-tied",
        "Curtail's ranking; a read that waits gets a tied second copy",
        own,
        SecondChance.TIED);
    add(
        all,
        "curtail-ranking-only",
        "Curtail's ranking alone, servers do nothing for it",
        own,
        SecondChance.NONE);
    for (NamedPolicy policy : Policies.all().values()) {
      if (policy != own) {
        add(all, policy.name(), policy.description(), policy, SecondChance.NONE);
      }
    }
    add(all, ORACLE, "sees true queues and speeds without delay", null, SecondChance.NONE);
    for (String ranking : new String[] {"random", "c3-without-rate-control"}) {
      add(
          all,
          ranking + "-returned",
          ranking + "; busy servers return reads",
          Policies.named(ranking),
          SecondChance.RETURNED);
    }
    return all;
  }

  private static void add(
      Map<String, SimulatedPolicy> all,
      String name,
      String description,
      NamedPolicy ranking,
      SecondChance secondChance) {
    all.put(name, new SimulatedPolicy(name, description, ranking, secondChance));
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
