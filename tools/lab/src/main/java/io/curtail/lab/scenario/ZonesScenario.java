/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.List;

/** Three zones at the distances of Netflix's talk: who asks a near replica, and what that saves. */
public final class ZonesScenario extends PolicyScenario {

  public ZonesScenario() {
    super(
        "zones",
        3,
        List.of(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.QUORUM),
        List.of(2000.0),
        10,
        8);
  }

  @Override
  public String explanation() {
    return "Nodes and clients live in three zones, with the round trips of Netflix's talk: 150 to"
        + " 220 µs within a zone, up to 850 µs between zones. Every row has a copy in each zone. A"
        + " client that knows its zone can ask the near copy; the stock policy asks any of the"
        + " three.";
  }
}
