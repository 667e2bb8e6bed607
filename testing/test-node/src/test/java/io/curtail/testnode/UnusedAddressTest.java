/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnusedAddressTest {
  @TempDir private Path directory;

  @Test
  void should_take_the_next_block_where_something_listens() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = other.getLocalPort();
      byte[] first = UnusedAddress.ofBlock(99, 1, port);
      assertThat(UnusedAddress.ofBlock(99, 1, port)).isEqualTo(first);
      try (ServerSocket one = new ServerSocket(port, 1, InetAddress.getByAddress(first))) {
        assertThat(one.isBound()).isTrue();
        assertThat(UnusedAddress.ofBlock(99, 1, port)).isNotEqualTo(first);
      }
      assertThatThrownBy(() -> UnusedAddress.first(port, number -> new byte[] {127, 0, 0, 1}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("port " + port);
    }
  }

  /** Nodes in a row have neighbours. */
  @Test
  void should_leave_out_the_address_of_a_node_that_another_process_has() throws IOException {
    String[] now = address().split("\\.", -1);
    int second = Integer.parseInt(now[1]);
    now[1] = Integer.toString(100 + (second - 99) % 100);
    String next = String.join(".", now);
    try (ServerSocket other = new ServerSocket()) {
      other.setReuseAddress(true);
      other.bind(new InetSocketAddress(InetAddress.getByName(next), 7000));
      assertThat(address()).isNotEqualTo(next);
    }
  }

  private String address() throws IOException {
    new NodeSettings(directory).write();
    return Files.readAllLines(directory.resolve("conf/cassandra.yaml")).stream()
        .filter(line -> line.startsWith("listen_address: "))
        .map(line -> line.substring("listen_address: ".length()))
        .findFirst()
        .orElseThrow();
  }
}
