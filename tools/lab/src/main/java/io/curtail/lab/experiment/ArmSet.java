/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.cluster.ClusterSpec;
import java.io.IOException;
import java.util.List;

/** What a scenario compares: policies of the client, or something in the nodes. */
public interface ArmSet {
  /** In a sentence for the report: what is alike in all arms, and what differs. */
  String difference();

  /** Gives the nodes what the arms need. */
  void equip(ClusterSpec.Builder nodes) throws IOException;

  /** How many arms there will be. */
  int count(Settings settings);

  /** The arms, the reference first. */
  List<Arm> arms(Testbed testbed, Settings settings);
}
