/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.application;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.curtail.driver.AdaptivePolicy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;

/** An application in a bundle of its own: a request through the driver with all that is ours. */
public final class BundledApplication implements Function<InetSocketAddress, AutoCloseable> {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Returns the policy that planned the request; the session is closed. */
  @Override
  public AutoCloseable apply(InetSocketAddress contactPoint) {
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withString(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "io.curtail.driver.AdaptivePolicy")
            .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "dc1")
            .withString(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                "io.curtail.driver.AdaptiveSpeculativeExecution")
            .withString(
                DefaultDriverOption.REQUEST_THROTTLER_CLASS, "io.curtail.driver.AdaptiveThrottler")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, PATIENCE)
            .build();
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(contactPoint)
            .withClassLoader(BundledApplication.class.getClassLoader())
            .withConfigLoader(config)
            .build()) {
      SimpleStatement statement =
          SimpleStatement.newInstance("SELECT v FROM t").setIdempotent(true);
      AdaptivePolicy policy =
          (AdaptivePolicy)
              ((InternalDriverContext) session.getContext()).getLoadBalancingPolicy("default");
      // The driver tells the policy of an answer after the application.
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!policy.explain(statement).contains("answers in")) {
        session.execute(statement);
        if (policy.control().getFaults() > 0 || System.nanoTime() > end) {
          throw new IllegalStateException(
              policy.control().getLastFault() + policy.explain(statement));
        }
      }
      return policy;
    }
  }
}
