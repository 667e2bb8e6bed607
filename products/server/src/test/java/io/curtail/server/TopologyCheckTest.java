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

  @Test
  void should_name_five_that_would_move_and_say_how_many_more() {
    Map<InetAddressAndPort, Map<String, String>> remembered = new HashMap<>();
    for (int node = 2; node <= 8; node++) {
      remembered.put(FakeHost.address(node), place("datacenter1", "r2"));
    }
    assertThatThrownBy(() -> TopologyCheck.require(new SimpleSnitch(), remembered))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("from rack 'r2' to 'rack1' and 2 more: name the snitch")
        .hasMessageContaining("start it once with that snitch as endpoint_snitch");
  }
}
