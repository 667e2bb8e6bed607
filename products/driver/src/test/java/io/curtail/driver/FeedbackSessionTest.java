/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.context.DefaultNettyOptions;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.simulacron.common.cluster.QueryLog;
import io.curtail.selection.FeedbackCodec;
import io.curtail.selection.delay.ReplicaDelay;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With nodes that report nothing; that real ones do is tested with curtail-server. */
class FeedbackSessionTest {
  private static final SimpleStatement QUERY = SimpleStatement.newInstance("SELECT v FROM t");

  /** What keeps the nodes from answering. */
  private volatile CountDownLatch held = new CountDownLatch(0);

  private SimulatedCluster cluster;
  private CqlSession session;

  /** By the application's own network. */
  private final AtomicInteger opened = new AtomicInteger();

  @BeforeEach
  void connect() {
    cluster = SimulatedCluster.heardBy(query -> awaitRelease(), 2);
    session =
        new FeedbackSessionBuilder()
            .withNettyOptions(OwnNetwork::new)
            .addContactPoint((InetSocketAddress) cluster.node(0, 0).getAddress())
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withClass(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
                    .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "dc1")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                    .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                    .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                    .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                    .build())
            .build();
  }

  @AfterEach
  void close() {
    held.countDown();
    session.close();
    cluster.close();
  }

  @Test
  void should_ask_with_each_request_and_leave_the_users_payload_as_it_is() {
    session.execute(QUERY);
    session.execute(QUERY.setCustomPayload(Map.of("theirs", ByteBuffer.wrap(new byte[] {7}))));

    await(() -> payloads().size() == 2);
    assertThat(payloads())
        .containsExactlyInAnyOrder(
            Map.of(FeedbackCodec.PAYLOAD_KEY, ByteBuffer.allocate(0)),
            Map.of(
                FeedbackCodec.PAYLOAD_KEY,
                ByteBuffer.allocate(0),
                "theirs",
                ByteBuffer.wrap(new byte[] {7})));
  }

  private List<Map<String, ByteBuffer>> payloads() {
    return cluster.nodes().getLogs().getQueryLogs().stream()
        .filter(log -> QUERY.getQuery().equals(log.getQuery()))
        .map(QueryLog::getFrame)
        .map(frame -> frame.customPayload)
        .collect(Collectors.toList());
  }

  @Test
  void should_hear_a_node_when_nobody_waits_for_its_answer_any_more() {
    Node late = session.getMetadata().getNodes().values().iterator().next();
    List<Node> answered = new CopyOnWriteArrayList<>();
    ((FeedbackSource) session.getContext()).addListener((node, feedback) -> answered.add(node));
    held = new CountDownLatch(1);

    assertThatThrownBy(
            () -> session.execute(QUERY.setNode(late).setTimeout(Duration.ofMillis(100))))
        .isInstanceOf(DriverTimeoutException.class);
    held.countDown();
    await(() -> answered.contains(late));
  }

  /** Until then it looks as slow as what it owes; then it must not look quick again. */
  @Test
  void should_learn_from_an_answer_that_nobody_waits_for() {
    Node late = session.getMetadata().getNodes().values().iterator().next();
    session.execute(QUERY.setNode(late));
    ReplicaDelay delay = SimulatedCluster.policy(session).tracked(late).delay;
    await(() -> delay.responseTimeNanos(System.nanoTime()) > 0); // the driver tells it later
    long sent = System.nanoTime();
    double usual = delay.responseTimeNanos(sent);
    held = new CountDownLatch(1);
    delay.sent(sent); // as a plan does, which would not choose it always

    assertThatThrownBy(
            () -> session.execute(QUERY.setNode(late).setTimeout(Duration.ofMillis(100))))
        .isInstanceOf(DriverTimeoutException.class);
    long later = sent + TimeUnit.SECONDS.toNanos(60) + (long) (10 * usual);
    assertThat(delay.expectedNanos(1, 1, later)).isGreaterThan(usual);
    held.countDown();

    eventually(() -> assertThat(delay.overdueNanos(1, 1, later)).as("owed").isZero());
    eventually(() -> assertThat(delay.responseTimeNanos(later)).isGreaterThan(30e9));
  }

  @Test
  void should_listen_on_top_of_the_applications_own_network() {
    Node node = session.getMetadata().getNodes().values().iterator().next();
    List<Node> answered = new CopyOnWriteArrayList<>();
    ((FeedbackSource) session.getContext()).addListener((each, feedback) -> answered.add(each));

    session.execute(QUERY.setNode(node));
    await(() -> answered.contains(node));
    assertThat(opened).hasPositiveValue();
  }

  private final class OwnNetwork extends DefaultNettyOptions {
    OwnNetwork(InternalDriverContext context) {
      super(context);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      opened.incrementAndGet();
    }
  }

  private void awaitRelease() {
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void should_say_what_to_do_when_the_driver_is_shaded() {
    ClassLoader shaded =
        new ClassLoader(null) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals("com.datastax.oss.driver.shaded.netty.channel.Channel")) {
              return Object.class;
            }
            throw new ClassNotFoundException(name);
          }
        };
    assertThatThrownBy(() -> FeedbackSessionBuilder.refuseShaded(shaded))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs java-driver-core")
        .hasMessageContaining("CqlSession.builder()");
  }
}
