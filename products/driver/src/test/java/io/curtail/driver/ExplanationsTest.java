/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ExplanationsTest {
  private static final String CQL = "SELECT v FROM t";

  private SimulatedCluster cluster;
  private CqlSession session;

  @BeforeEach
  void connect() {
    cluster = new SimulatedCluster(3);
    session =
        cluster.connect(
            config ->
                config.withClass(
                    DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class));
    await(() -> policy(session).localNodes().size() == 3);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_explain_a_plan_by_jmx_when_an_operator_asks() throws Exception {
    eventually(
        () -> {
          session.execute(CQL);
          assertThat(invoke("explain", "", "").lines())
              .hasSize(4)
              .first()
              .asString()
              .startsWith("No replica is known, 3 nodes");
          assertThat(invoke("explain", "", ""))
              .contains("  1: /127.", "local rack, in flight 0, answers in ", " ms");
        });
    assertThat(invoke("explain", "system", "0001")).contains("3 nodes");
    CompositeData[] nodes = (CompositeData[]) server().getAttribute(name(), "Nodes");
    assertThat(nodes)
        .hasSize(3)
        .anySatisfy(node -> assertThat((double) node.get("expectedMillis")).isPositive());

    policy(session).control().setEnabled(false);
    assertThat(invoke("explain", "", "")).startsWith("The policy is off");
  }

  @Test
  void should_log_as_many_plans_as_were_asked_for() {
    Logger logger = (Logger) LoggerFactory.getLogger(Explanations.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    try {
      session.execute(CQL);
      assertThat(lines.list).isEmpty();
      policy(session).control().logPlans(2);
      for (int i = 0; i < 5; i++) {
        session.execute(CQL);
      }
      assertThat(lines.list)
          .hasSize(2)
          .allMatch(line -> line.getFormattedMessage().contains("best first"));
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
  }

  private String invoke(String operation, String... arguments) throws Exception {
    String[] types = new String[arguments.length];
    java.util.Arrays.fill(types, String.class.getName());
    return (String) server().invoke(name(), operation, arguments, types);
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  private ObjectName name() throws Exception {
    return new ObjectName(
        "io.curtail.driver:type=Adaptive,session="
            + ObjectName.quote(session.getName())
            + ",profile=\"default\"");
  }
}
