/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.SimulatedCluster.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import io.curtail.waiting.Waiting;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A configuration of {@code DriverConfigLoader.fromMap}: its profiles are in no order, and the
 * driver names to a policy the first of those that share it.
 */
class MapConfigurationTest {
  /** It comes before the default one. */
  private static final String FIRST = "analytics";

  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT v FROM t").setIdempotent(true);

  private final SimulatedCluster cluster = new SimulatedCluster(3);
  private final OptionsMap options = OptionsMap.driverDefaults();

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_copy_requests_of_the_default_profile_when_the_first_one_has_another_policy() {
    options.put(FIRST, TypedDriverOption.LOAD_BALANCING_POLICY_CLASS, "DefaultLoadBalancingPolicy");
    try (CqlSession session = connect()) {
      assertThat(policy(session).newQueryPlan(QUERY, session)).isInstanceOf(HedgedQueryPlan.class);
    }
  }

  @Test
  void should_refuse_to_start_when_the_default_profile_has_another_policy_and_one_has_ours() {
    options.put(
        FIRST, TypedDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class.getName());
    assertThatThrownBy(() -> connect(WeightedLeastLoadedPolicy.class))
        .hasStackTraceContaining(
            "in profile default, not " + WeightedLeastLoadedPolicy.class.getName());
  }

  @Test
  void should_show_a_policy_of_the_default_profile_under_its_name_when_others_share_it()
      throws JMException {
    options.put(FIRST, TypedDriverOption.REQUEST_TIMEOUT, Waiting.PATIENCE);
    options.put(new TypedDriverOption<>(WeightedOption.METRICS, GenericType.BOOLEAN), true);
    options.put(TypedDriverOption.METRICS_NODE_ENABLED, List.of("pool.in-flight"));
    try (CqlSession session = connect()) {
      assertThat(policy(session, FIRST)).isSameAs(policy(session));
      String name = "io.curtail.driver:session=\"" + session.getName() + "\",*";
      assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(name), null))
          .extracting(shown -> shown.getKeyProperty("profile"))
          .containsExactly("\"default\"");
      assertThat(session.getMetrics().orElseThrow().getRegistry().getGauges().keySet())
          .anyMatch(gauge -> gauge.endsWith(".load-balancing.plans"))
          .noneMatch(gauge -> gauge.contains(FIRST));
    }
  }

  private CqlSession connect() {
    return connect(AdaptivePolicy.class);
  }

  private CqlSession connect(Class<?> defaultPolicy) {
    options.put(TypedDriverOption.LOAD_BALANCING_POLICY_CLASS, defaultPolicy.getName());
    options.put(TypedDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "dc1");
    options.put(
        TypedDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
        AdaptiveSpeculativeExecution.class.getName());
    options.put(TypedDriverOption.CONNECTION_CONNECT_TIMEOUT, Waiting.PATIENCE);
    options.put(TypedDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Waiting.PATIENCE);
    options.put(TypedDriverOption.CONTROL_CONNECTION_TIMEOUT, Waiting.PATIENCE);
    options.put(TypedDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0);
    options.put(TypedDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
    DriverConfigLoader loader = DriverConfigLoader.fromMap(options);
    assertThat(loader.getInitialConfig().getProfiles().keySet()).startsWith(FIRST);
    return CqlSession.builder()
        .addContactPoint((InetSocketAddress) cluster.node(0, 0).getAddress())
        .withConfigLoader(loader)
        .build();
  }
}
