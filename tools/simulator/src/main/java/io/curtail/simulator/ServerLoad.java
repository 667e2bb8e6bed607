/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.rate.RateControl;

/** What a client knows of a server, and how fast it may send to it. */
final class ServerLoad extends ReplicaLoad {
  final Server server;
  final RateControl rateControl;

  ServerLoad(Server server, LoadSettings settings, double distanceWeight, RateControl rateControl) {
    super(settings, distanceWeight);
    this.server = server;
    this.rateControl = rateControl;
  }
}
