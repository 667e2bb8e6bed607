/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class FailedStartTest {
  /** The driver closes no policy then. */
  @Test
  void should_leave_nothing_behind_when_another_policy_of_the_session_cannot_start()
      throws JMException {
    FirstStarts.STARTED.clear();
    try (SimulatedCluster cluster = new SimulatedCluster(1)) {
      assertThatThrownBy(
              () ->
                  cluster.connect(
                      config ->
                          config
                              .withString(DefaultDriverOption.SESSION_NAME, "half-started")
                              .withClass(
                                  DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                                  FirstStarts.class)
                              .startProfile("other")
                              .withDouble(WeightedOption.NON_RACK, 1)
                              .endProfile()))
          .hasStackTraceContaining("cannot start");

      assertThat(FirstStarts.STARTED).hasSize(1);
      assertThat(FirstStarts.STARTED.get(0).localNodes().size()).isZero();
      ObjectName any = new ObjectName("io.curtail.driver:session=\"half-started\",*");
      assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(any, null)).isEmpty();
    }
  }

  public static final class FirstStarts extends WeightedLeastLoadedPolicy {
    static final List<WeightedLeastLoadedPolicy> STARTED = new ArrayList<>();

    public FirstStarts(DriverContext context, String profileName) {
      super(context, profileName);
    }

    @Override
    public void init(Map<UUID, Node> nodes, DistanceReporter distanceReporter) {
      if (!STARTED.isEmpty()) {
        throw new IllegalStateException("cannot start");
      }
      super.init(nodes, distanceReporter);
      STARTED.add(this);
    }
  }
}
