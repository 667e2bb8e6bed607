/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.time.Duration;
import java.util.List;

/** Configurations of the driver for nodes that share a busy machine. */
public final class DriverTimeouts {
  private static final List<DriverOption> ALL =
      List.of(
          DefaultDriverOption.REQUEST_TIMEOUT,
          DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT,
          DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT,
          DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT,
          DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT,
          DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT);

  private DriverTimeouts() {}

  /**
   * A configuration that waits so long for all that is asked of a node. A heartbeat is not asked
   * for: by it the driver finds a node that stands still.
   */
  public static ProgrammaticDriverConfigLoaderBuilder all(Duration timeout) {
    ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder();
    ALL.forEach(option -> config.withDuration(option, timeout));
    // closed, a session waits for no late task of its event loops
    return config
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
  }
}
