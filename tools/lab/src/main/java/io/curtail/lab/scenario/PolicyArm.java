/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import java.util.List;

/**
 * Stock servers and a policy in the clients. The sessions stay open for the whole experiment, as an
 * application's do, so that no run pays for connecting.
 */
record PolicyArm(Policy policy, List<ZoneClient> clients) implements Arm {
  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public void close() {
    clients.forEach(ZoneClient::close);
  }
}
