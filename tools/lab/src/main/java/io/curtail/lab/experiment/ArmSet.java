/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.io.IOException;
import java.util.List;

/**
 * What a scenario compares: policies of the client, modes of the nodes, or nodes of several kinds.
 */
public interface ArmSet {

  /** In a sentence for the report: what is alike in all arms, and what differs. */
  String difference(ScenarioSettings settings);

  /** Of load on each cluster before the first run, unless the user says otherwise. */
  default int warmUpSeconds() {
    return 240;
  }

  /**
   * Whether each arm has nodes of its own, whose compilers may be at work for one and done for the
   * other: then the warm-up lasts until they are done, at most four times as long.
   */
  default boolean areCompiledApart() {
    return false;
  }

  /** How many arms there will be. */
  int count(ScenarioSettings settings);

  /**
   * Starts what the arms need.
   *
   * @param nodes of each cluster
   * @return the arms, the reference first
   */
  List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException;
}
