/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.rate.RateControls;

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

  NamedPolicy(String name, String description, Factory factory) {
    this.name = name;
    this.description = description;
    this.factory = factory;
  }

  void limitedBy(String control) {
    this.rateControl = control;
  }

  void measuredBy(LoadSettings settings) {
    this.loadSettings = settings;
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

  /** Returns a ranking for one client. */
  public RankingPolicy newRanking(PolicySettings settings) {
    return factory.create(settings);
  }
}
