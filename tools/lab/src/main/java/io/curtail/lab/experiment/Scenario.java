/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.util.List;
import java.util.Set;

/** A question that is asked of all arms, under one or more conditions. */
public abstract class Scenario {
  private final String name;
  private final int nodes;
  private final int slowMotion;
  private final ArmSet arms;

  /**
   * What is so unless the user says otherwise.
   *
   * @param name as a user types it
   * @param slowMotion how many times as long as real ones its delays are
   * @param arms what is compared
   */
  protected Scenario(String name, int nodes, int slowMotion, ArmSet arms) {
    this.name = name;
    this.nodes = nodes;
    this.slowMotion = slowMotion;
    this.arms = arms;
  }

  /** As a user types it. */
  public final String name() {
    return name;
  }

  /** What is being shown, in a sentence or two for someone who has not read the docs. */
  public abstract String explanation();

  /** The conditions, with what the user set in place of the defaults. */
  public abstract List<Condition> conditions(ScenarioSettings settings);

  /** Which of a user's choices it looks at. */
  public abstract Set<Choice> choices();

  /** How many times as long as real ones its delays are, unless the user says otherwise. */
  public final int slowMotion() {
    return slowMotion;
  }

  /** Whether the report says of each arm whether anything got worse than in the reference. */
  public boolean asksForHarm() {
    return false;
  }

  /** The number of nodes, unless the user says otherwise. */
  public final int nodes() {
    return nodes;
  }

  /** What is compared. */
  public final ArmSet arms() {
    return arms;
  }
}
