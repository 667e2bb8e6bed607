/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.time.Duration;
import java.util.List;

/** Sessions that no busy machine makes fail. */
public final class PatientSession {
  /** Bounds what hangs. */
  public static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final List<DriverOption> TIMEOUTS =
      List.of(
          DefaultDriverOption.REQUEST_TIMEOUT,
          DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT,
          DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT,
          DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT,
          DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT,
          DefaultDriverOption.HEARTBEAT_TIMEOUT,
          DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT);

  private PatientSession() {}

  public static ProgrammaticDriverConfigLoaderBuilder config() {
    ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder();
    TIMEOUTS.forEach(timeout -> config.withDuration(timeout, PATIENCE));
    return config;
  }
}
