/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitingTransactionsTest {
  private static final String CONDITIONAL = "UPDATE t SET v = 1 WHERE k = 1 IF v = 0";
  private static final SimpleStatement READ =
      SimpleStatement.newInstance("SELECT v FROM t WHERE k = 1");

  /** It keeps its order, so it waits for the first replica; others have two more to go to. */
  @Test
  void should_let_reads_pass_a_transaction_that_waits_for_its_replica() {
    try (SimulatedCluster cluster = new SimulatedCluster(3)) {
      CqlSession session =
          cluster.connect(
              config ->
                  config
                      .without(WeightedOption.LOCAL_RACK)
                      .withClass(
                          DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AllReplicasPolicy.class)
                      .withClass(
                          DefaultDriverOption.REQUEST_THROTTLER_CLASS, AdaptiveThrottler.class)
                      .withInt(ThrottlerOption.MAX_IN_FLIGHT, 1)
                      .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, 10));
      SimulatedCluster.awaitConnected(session, 3);
      Set<Node> replicas = policy(session).replicasOf(READ);
      TrackedNode first = policy(session).tracked(replicas.iterator().next());
      cluster.of(first.node).prime(when(CONDITIONAL).then(noResult()));

      session.executeAsync(CONDITIONAL);
      await(() -> first.inFlight(policyPools(session)) == 1);
      session.executeAsync(CONDITIONAL);
      await(() -> first.waiting.get() == 1);

      for (int i = 0; i < 10; i++) {
        assertThat(session.execute(READ).getExecutionInfo().getCoordinator())
            .isNotSameAs(first.node);
      }
      assertThat(first.waiting.get()).isEqualTo(1);
      for (Node replica : replicas) {
        if (replica != first.node) {
          assertThat(policy(session).tracked(replica).waiting.get()).isZero();
        }
      }
    }
  }

  private static Map<Node, ChannelPool> policyPools(CqlSession session) {
    return ((DefaultSession) session).getPools();
  }
}
