/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.Test;

class TopologyCheckTest {
  private static Map<String, String> place(String datacenter, String rack) {
    return Map.of("data_center", datacenter, "rack", rack);
  }

  @Test
  void should_accept_what_the_node_wrote_down() {
    assertThatCode(
            () ->
                TopologyCheck.require(
                    new SimpleSnitch(), Map.of(FakeHost.address(2), place("datacenter1", "rack1"))))
        .doesNotThrowAnyException();
  }

  @Test
  void should_refuse_a_delegate_that_would_move_a_node() {
    assertThatThrownBy(
            () ->
                TopologyCheck.require(
                    new SimpleSnitch(), Map.of(FakeHost.address(2), place("dc1", "rack1"))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("from data centre 'dc1' to 'datacenter1'");
    assertThatThrownBy(
            () ->
                TopologyCheck.require(
                    new SimpleSnitch(), Map.of(FakeHost.address(2), place("datacenter1", "r2"))))
        .hasMessageContaining("from rack 'r2' to 'rack1'");
  }

  /** Replaced in another rack while this node was down: refused, it could never start again. */
  @Test
  void should_accept_a_peer_that_moved_among_many_that_did_not() {
    Map<InetAddressAndPort, Map<String, String>> remembered = new HashMap<>();
    for (int node = 2; node <= 6; node++) {
      remembered.put(FakeHost.address(node), place("datacenter1", node < 4 ? "r2" : "rack1"));
    }
    assertThatCode(() -> TopologyCheck.require(new SimpleSnitch(), remembered))
        .doesNotThrowAnyException();
    remembered.put(FakeHost.address(4), place("datacenter1", "r2"));
    assertThatThrownBy(() -> TopologyCheck.require(new SimpleSnitch(), remembered))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(FakeHost.address(4) + " from rack 'r2' to 'rack1'");
  }
}
