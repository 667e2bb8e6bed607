/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.selection.passing.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.cassandra.auth.AllowAllInternodeAuthenticator;
import org.apache.cassandra.auth.IInternodeAuthenticator;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataStorageSpec.IntBytesBound;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.PeerConnections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Carried reads in Cassandra's own connections, to a peer that listens and says nothing. */
class CarrierConnectionsTest extends CarrierParts {
  private static final long SOON_MILLIS = 50;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long PLAIN = 80;

  /** More reads than a queue of a kibibyte takes. */
  private static final int FILLING = 100;

  private final Config config = DatabaseDescriptor.getRawConfig();
  private final IntBytesBound largest = config.internode_max_message_size;
  private final Waiting plainWaiting = new Waiting();
  private ServerSocket peer;
  private InetAddressAndPort address;

  @BeforeEach
  void listen() throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.3");
    peer = new ServerSocket(0, 10, loopback);
    address = InetAddressAndPort.getByAddressOverrideDefaults(loopback, peer.getLocalPort());
    live.policy().peers().of(address).takesCarriedReads = true;
    config.internode_max_message_size = new IntBytesBound("4MiB"); // as a node makes it
    allAreLost = false;
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
    DatabaseDescriptor.setInternodeAuthenticator(new AllowAllInternodeAuthenticator());
    config.internode_max_message_size = largest;
    PeerConnections.close(address);
    assertThat(guard.errors()).isZero();
  }

  /** A carried read and a plain one. */
  private void sendBoth(long millis) {
    carry(millis);
    Route route = new Route(address, FakeHost.address(4));
    CarriedRead carried =
        new CarriedRead(77, read.token, route, 0, message, waiting, message.expiresAtNanos());
    reads.onCarried(carried);
    MessagingService messaging = MessagingService.instance();
    messaging.callbacks.addWithExpiration(waiting, message, address);
    carrier.send(carried, route, 0, address, CarriedTerms.MAY_LEAVE);
    assertThat(messages.get(0).verb()).isEqualTo(Cassandra50CarriedMessages.VERB);

    Message<?> plain = Message.builder(message).withId(PLAIN).build();
    messaging.callbacks.addWithExpiration(plainWaiting, plain, address);
    messaging.send(plain, address);
  }

  private int of(Map<String, ? extends Number> byPeer) {
    return byPeer.get(address.toString()).intValue();
  }

  @Test
  void should_wait_in_the_connection_of_plain_reads() throws IOException {
    DatabaseDescriptor.setInternodeAuthenticator(new AllowAllInternodeAuthenticator());
    PeerConnections.make(address);
    sendBoth(HOUR_MILLIS);
    peer.setSoTimeout((int) PATIENCE.toMillis());
    peer.accept().close();
    MessagingService messaging = MessagingService.instance();
    assertThat(of(messaging.getSmallMessagePendingTasksWithPort())).isEqualTo(2);
    assertThat(of(messaging.getLargeMessagePendingTasksWithPort())).isZero();
    assertThat(of(messaging.getGossipMessagePendingTasksWithPort())).isZero();
  }

  @Test
  void should_not_reach_a_node_that_cassandra_refuses() throws IOException {
    List<InetAddress> refused = new CopyOnWriteArrayList<>();
    DatabaseDescriptor.setInternodeAuthenticator(
        new IInternodeAuthenticator() {
          @Override
          public boolean authenticate(
              InetAddress remote,
              int port,
              Certificate[] certificates,
              InternodeConnectionDirection direction) {
            refused.add(remote);
            return false;
          }

          @Override
          public void validateConfiguration() {}
        });
    PeerConnections.make(address);
    sendBoth(SOON_MILLIS);
    eventually(() -> assertThat(waiting.failed).contains(address));
    eventually(() -> assertThat(plainWaiting.failed).containsExactly(address));
    eventually(() -> assertThat(refused).contains(address.getAddress()));
    peer.setSoTimeout(1);
    assertThatThrownBy(() -> peer.accept()).isInstanceOf(SocketTimeoutException.class);
    assertThat(waiting.failed.stream().filter(address::equals)).hasSize(1);
  }

  /** They end long before their time does, and where they went is Cassandra's to say. */
  @Test
  void should_fail_as_a_plain_read_does_when_its_connection_has_no_room() {
    PeerConnections.makeSmall(address);
    carry(HOUR_MILLIS);
    for (int id = 100; id < 100 + FILLING; id++) {
      MessagingService.instance().send(Message.builder(message).withId(id).build(), address);
    }
    int before = dropped();
    assertThat(before).isBetween(1, FILLING - 1);
    messages.clear();
    sendBoth(HOUR_MILLIS);
    eventually(() -> assertThat(plainWaiting.failed).containsExactly(address));
    eventually(() -> assertThat(waiting.failed).containsExactly(address));
    assertThat(MessagingService.instance().callbacks.remove(77, address)).isNull();
    assertThat(dropped()).isEqualTo(before + 2);
  }

  private int dropped() {
    return of(MessagingService.instance().getSmallMessageDroppedTasksWithPort());
  }
}
