/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.rate.RateControls;
import java.util.Set;

/** A policy as a user names it: how it ranks, what it needs measured, how it limits its rate. */
public final class NamedPolicy {
  /** Makes the ranking of one client. */
  @FunctionalInterface
  interface Factory {
    RankingPolicy create(PolicySettings settings);
  }

  private final String name;
  private final String description;
  private final Factory factory;
  private LoadSettings loadSettings = LoadSettings.PAPER;
  private String rateControl = RateControls.NONE;
  private String rankingAlone;
  private Set<HostAbility> needs = Set.of();

  NamedPolicy(String name, String description, Factory factory) {
    this.name = name;
    this.description = description;
    this.factory = factory;
    this.rankingAlone = name;
  }

  /**
   * @param otherwise the policy that ranks the same and limits no rate
   */
  NamedPolicy limitedBy(String control, String otherwise) {
    this.rateControl = control;
    this.rankingAlone = otherwise;
    return this;
  }

  NamedPolicy measuredBy(LoadSettings settings) {
    this.loadSettings = settings;
    return this;
  }

  NamedPolicy needs(HostAbility... abilities) {
    this.needs = Set.of(abilities);
    return this;
  }

  public String name() {
    return name;
  }

  /** Returns one line for a list. */
  public String description() {
    return description;
  }

  /** Returns what each {@link ReplicaLoad} that this policy ranks must be made with. */
  public LoadSettings loadSettings() {
    return loadSettings;
  }

  /** Returns the name of the rate control that belongs to it, see {@link RateControls}. */
  public String rateControl() {
    return rateControl;
  }

  /** Returns the name of the policy that ranks as this one does, and limits no rate. */
  public String rankingAlone() {
    return rankingAlone;
  }

  /**
   * Returns whether a driver's load balancing policy can run it, which sends no messages of its own
   * and holds no request back.
   */
  public boolean runsInDriver() {
    return !needs.contains(HostAbility.SEND_PROBES) && rateControl.equals(RateControls.NONE);
  }

  /** Returns whether a node can run it as a coordinator. */
  public boolean runsOnNode() {
    return needs.isEmpty();
  }

  /** Returns what it cannot do without: in a host that lacks one of them it is another policy. */
  public Set<HostAbility> needs() {
    return needs;
  }

  /** Returns a ranking for one client. */
  public RankingPolicy newRanking(PolicySettings settings) {
    return factory.create(settings);
  }
}
