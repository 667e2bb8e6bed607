/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The driver takes a stream id before it encodes a statement, and does not give it back if it
 * cannot: with a limit in flight that would end all requests to the node.
 */
class EncodingTest {
  private static final int LIMIT = 2;
  private static final String QUERY = "SELECT v FROM t WHERE k = ?";

  private SimulatedCluster cluster;
  private CqlSession session;

  @BeforeEach
  void connect() {
    cluster = new SimulatedCluster(1);
    session =
        cluster.connect(
            config ->
                config
                    .withString(
                        DefaultDriverOption.PROTOCOL_VERSION, DefaultProtocolVersion.V4.name())
                    .withClass(DefaultDriverOption.REQUEST_THROTTLER_CLASS, AdaptiveThrottler.class)
                    .withInt(ThrottlerOption.MAX_IN_FLIGHT, LIMIT));
    SimulatedCluster.awaitConnected(session, 1);
    cluster.nodes().prime(when(QUERY).then(noRows()));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_keep_no_place_for_values_that_have_no_codec() {
    SimpleStatement query = SimpleStatement.newInstance(QUERY);
    for (int i = 0; i <= LIMIT; i++) {
      for (SimpleStatement unknown :
          List.of(
              query.setPositionalValues(List.of(new Object())),
              query.setNamedValues(Map.of("k", new Object())))) {
        assertThatThrownBy(() -> session.execute(unknown))
            .isInstanceOf(CodecNotFoundException.class);
      }
    }
    assertAllPlacesAreFree();
  }

  @Test
  void should_keep_no_place_for_a_keyspace_or_a_time_that_the_protocol_has_no_room_for() {
    SimpleStatement query = SimpleStatement.newInstance(QUERY);
    BatchStatement batch = BatchStatement.newInstance(BatchType.LOGGED, query);
    for (Statement<?> later :
        List.<Statement<?>>of(
            query.setNowInSeconds(1),
            query.setKeyspace("ks"),
            batch.setNowInSeconds(1),
            batch.setKeyspace("ks"))) {
      assertThatThrownBy(() -> session.execute(later))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("with protocol V4");
    }
    assertAllPlacesAreFree();
  }

  private void assertAllPlacesAreFree() {
    Node node = session.getMetadata().getNodes().values().iterator().next();
    await(() -> policy(session).tracked(node).lastKnownInFlight() == 0);
    session.execute(SimpleStatement.newInstance(QUERY, 1));
  }
}
