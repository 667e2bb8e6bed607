/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.util.List;
import java.util.Set;

/** A question that is asked of all arms, under one or more conditions. */
public interface Scenario {
  /** As a user types it. */
  String name();

  /** What is being shown, in a sentence or two for someone who has not read the docs. */
  String explanation();

  /** The conditions, with what the user set in place of the defaults. */
  List<Condition> conditions(ScenarioSettings settings);

  /** Which of a user's choices it looks at. */
  Set<Choice> choices();

  /** How many times as long as real ones its delays are, unless the user says otherwise. */
  default int slowMotion() {
    return 1;
  }

  /** Whether the report says of each arm whether anything got worse than in the reference. */
  default boolean asksForHarm() {
    return false;
  }

  /** The number of nodes, unless the user says otherwise. */
  int nodes();

  /** What is compared. */
  ArmSet arms();
}
