/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.SimulatedCluster.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that fail with the driver's own policy too do not switch this one off for others. */
class RequestsAtFaultTest {
  private static final SimpleStatement QUERY = SimpleStatement.newInstance("SELECT v FROM t");

  private final SimulatedCluster cluster = new SimulatedCluster(2);

  @AfterEach
  void close() {
    cluster.close();
  }

  /** As the driver's ring does where a request brings a token of another partitioner. */
  @Test
  void should_stay_on_when_the_stock_policy_cannot_plan_a_request_either() {
    CqlSession session = cluster.connect();
    SimpleStatement wrong = SimpleStatement.newInstance("SELECT v FROM t");
    WeightedLeastLoadedPolicy policy =
        new WeightedLeastLoadedPolicy(session.getContext(), "default") {
          @Override
          protected Set<Node> getReplicas(Request request, Session of) {
            if (request == wrong) {
              throw new IllegalArgumentException("a token of another partitioner");
            }
            return super.getReplicas(request, of);
          }
        };
    policy.init(session.getMetadata().getNodes(), (node, distance) -> {});

    for (int i = 0; i < PolicySwitch.FAULTS_ALLOWED; i++) {
      assertThatThrownBy(() -> policy.newQueryPlan(wrong, session))
          .hasMessage("a token of another partitioner");
    }

    assertThat(policy.control().getFaults()).isZero();
    assertThat(policy.newQueryPlan(QUERY, session)).isInstanceOf(WeightedQueryPlan.class);
    policy.close();
  }

  @Test
  void should_stay_on_when_the_consistency_level_of_a_profile_is_misspelt() {
    CqlSession session =
        cluster.connect(
            config ->
                config.withClass(
                    DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AllReplicasPolicy.class));
    DriverExecutionProfile misspelt =
        session
            .getContext()
            .getConfig()
            .getDefaultProfile()
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QORUM");

    for (int i = 0; i < PolicySwitch.FAULTS_ALLOWED; i++) {
      assertThatThrownBy(() -> session.execute(QUERY.setExecutionProfile(misspelt))).isNotNull();
    }

    assertThat(policy(session).control().getFaults()).isZero();
    assertThat(policy(session).newQueryPlan(QUERY, session)).isInstanceOf(WeightedQueryPlan.class);
  }
}
