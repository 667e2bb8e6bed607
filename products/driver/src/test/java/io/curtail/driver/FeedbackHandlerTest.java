/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one connection of a session hears. */
class FeedbackHandlerTest {
  private final SimulatedCluster cluster = new SimulatedCluster(2);

  @AfterEach
  void close() {
    cluster.close();
  }

  /** As of nodes behind one address, until the driver is told of the other's own. */
  @Test
  void should_hear_a_node_when_the_driver_tells_it_from_another_only_later() {
    CqlSession session = cluster.connect(new FeedbackSessionBuilder(), config -> {});
    SimulatedCluster.awaitConnected(session, 2);
    FeedbackContext context = (FeedbackContext) session.getContext();
    List<Node> nodes = new ArrayList<>(session.getMetadata().getNodes().values());
    DefaultNode other = (DefaultNode) nodes.get(1);
    EndPoint ownAddress = other.getEndPoint();
    other.setEndPoint(nodes.get(0).getEndPoint(), context);
    List<Node> heard = new CopyOnWriteArrayList<>();
    context.addListener(
        (node, feedback) -> {
          if (feedback != null) { // of no other connection
            heard.add(node);
          }
        });
    EmbeddedChannel connection = connection(context, nodes.get(0).getEndPoint().resolve());

    answer(connection, 101);
    assertThat(heard).isEmpty();
    other.setEndPoint(ownAddress, context);
    answer(connection, 1_000);
    assertThat(heard).isNotEmpty().containsOnly(nodes.get(0));
  }

  /** As with {@code advanced.resolve-contact-points = false}; the driver keeps its end point. */
  @Test
  void should_hear_a_contact_point_that_is_looked_up_for_each_connection() {
    InetSocketAddress address = (InetSocketAddress) cluster.node(0, 1).getAddress();
    FeedbackSessionBuilder builder = new FeedbackSessionBuilder();
    builder.addContactPoint(
        InetSocketAddress.createUnresolved(
            address.getAddress().getHostAddress(), address.getPort()));
    CqlSession session = cluster.connect(builder, config -> {});
    SimulatedCluster.awaitConnected(session, 2);
    Node lookedUp =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> ((InetSocketAddress) node.getEndPoint().resolve()).isUnresolved())
            .findFirst()
            .orElseThrow();
    List<Node> heard = new CopyOnWriteArrayList<>();
    ((FeedbackSource) session.getContext()).addListener((node, feedback) -> heard.add(node));

    session.execute(SimpleStatement.newInstance("SELECT v FROM t").setNode(lookedUp));

    await(() -> heard.contains(lookedUp));
  }

  @Test
  void should_hear_a_node_by_the_name_that_its_connection_was_looked_up_by() throws Exception {
    CqlSession session = cluster.connect(new FeedbackSessionBuilder(), config -> {});
    SimulatedCluster.awaitConnected(session, 2);
    FeedbackContext context = (FeedbackContext) session.getContext();
    DefaultNode named = (DefaultNode) session.getMetadata().getNodes().values().iterator().next();
    named.setEndPoint(
        new DefaultEndPoint(InetSocketAddress.createUnresolved("localhost", 9042)), context);
    List<Node> heard = new CopyOnWriteArrayList<>();
    context.addListener(
        (node, feedback) -> {
          if (feedback != null) {
            heard.add(node);
          }
        });
    byte[] elsewhere = {127, 1, 2, 3};

    answer(connection(context, address("other", elsewhere, 9042)), 1);
    answer(connection(context, address("localhost", elsewhere, 9043)), 1);
    assertThat(heard).isEmpty();
    answer(connection(context, address("LocalHost", elsewhere, 9042)), 1);
    assertThat(heard).containsExactly(named);
  }

  /** Of a real connection, as the driver makes it: the handler's look-up by names rests on that. */
  @Test
  void should_know_by_which_name_a_connection_was_looked_up() throws Exception {
    EventLoopGroup network = new NioEventLoopGroup(1);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      byte[] loopback = InetAddress.getLoopbackAddress().getAddress();
      Channel connection =
          new Bootstrap()
              .group(network)
              .channel(NioSocketChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(address("some.name", loopback, server.getLocalPort()))
              .sync()
              .channel();
      assertThat(((InetSocketAddress) connection.remoteAddress()).getHostString())
          .isEqualTo("some.name");
    } finally {
      network.shutdownGracefully(0, 0, TimeUnit.SECONDS).get(1, TimeUnit.MINUTES);
    }
  }

  private static InetSocketAddress address(String name, byte[] address, int port)
      throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByAddress(name, address), port);
  }

  private static EmbeddedChannel connection(FeedbackContext context, SocketAddress address) {
    return new EmbeddedChannel(new FeedbackHandler(context)) {
      @Override
      public SocketAddress remoteAddress() {
        return address;
      }
    };
  }

  private static void answer(EmbeddedChannel connection, int times) {
    byte[] report = FeedbackCodec.encode(new Feedback(0, 1, 32, 1_000));
    for (int i = 0; i < times; i++) {
      connection.writeInbound(
          Frame.forResponse(
              ProtocolConstants.Version.V5,
              0,
              null,
              Map.of(FeedbackCodec.PAYLOAD_KEY, ByteBuffer.wrap(report)),
              List.of(),
              Void.INSTANCE));
    }
    connection.releaseInbound();
  }
}
