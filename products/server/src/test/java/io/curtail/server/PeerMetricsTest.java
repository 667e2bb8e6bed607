/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What gauges of a peer are named. */
class PeerMetricsTest {
  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1.7000", "::1, [0.0.0.0.0.0.0.1].7000"})
  void should_name_it_by_its_address_also_when_its_name_is_known(String address, String scope)
      throws UnknownHostException {
    byte[] bytes = InetAddress.getByName(address).getAddress();
    for (String name : new String[] {null, "localhost"}) {
      InetAddressAndPort peer =
          InetAddressAndPort.getByAddressOverrideDefaults(
              InetAddress.getByAddress(name, bytes), 7000);
      assertThat(Cassandra50.perPeer(peer).createMetricName("Outstanding").getScope())
          .isEqualTo(scope);
    }
  }
}
