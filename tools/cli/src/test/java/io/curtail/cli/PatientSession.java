/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.load.AllNodes;
import io.curtail.lab.load.DriverTimeouts;
import java.time.Duration;

/** Sessions that wait for what a busy machine needs, and retry: what tests send is idempotent. */
final class PatientSession {
  /** Bounds what hangs. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private PatientSession() {}

  static CqlSession connect(Cluster cluster) {
    return AllNodes.await(
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withLocalDatacenter(cluster.localDatacenter())
            .withConfigLoader(
                DriverTimeouts.all(TIMEOUT)
                    .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                    .withDuration(
                        DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
                    .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                    .build())
            .build(),
        cluster);
  }
}
