/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.campaign.process.Commands;
import io.curtail.campaign.process.DeadMansSwitch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where this user or machine cannot have the network, it must say so in one line. */
class NamespaceNetworkTest {
  /** No lab takes one of these, and what making one removes first is not another test's. */
  private static final AddressBlock ADDRESSES =
      new AddressBlock(77, (int) (201 + ProcessHandle.current().pid() % 50));

  private static final int PROBES = 40;

  @TempDir private Path directory;

  @Test
  void should_delay_packets_by_zone_and_sender_or_say_what_is_missing() throws IOException {
    try {
      NetworkPrograms.requirePrerequisites();
    } catch (IllegalStateException e) {
      assertThat(e.getMessage())
          .startsWith("a network with a namespace a node needs")
          .hasLineCount(1);
      assertThatThrownBy(this::create).hasMessage(e.getMessage());
      return;
    }
    NamespaceNetwork network = create();
    try {
      network.calibrate();
      network.use(ZoneLatencies.TALK);
      // The packets' own time was measured before, and may have got shorter since.
      double tolerance = 100 + 2 * network.overheadNanos() / 1000.0;
      for (ZoneMeasurement measured : network.measure(PROBES)) {
        // Not below what was asked for; how far above is a matter of the machine's load.
        assertThat(measured.errorMicros()).as(measured.toString()).isGreaterThan(-tolerance);
      }
      assertThat(network.measure(PROBES)).hasSize(4 + 3);

      network.delayEgress(AddressBlock.parse(ADDRESSES.node(2, 2)), Duration.ofMillis(200));
      assertThat(pingMicros(ADDRESSES.client(0), 2)).isGreaterThan(200_000 - tolerance);
      assertThat(pingMicros(ADDRESSES.client(0), 1)).isLessThan(200_000);
      network.delayEgress(AddressBlock.parse(ADDRESSES.node(2, 2)), Duration.ZERO);
      assertThat(pingMicros(ADDRESSES.client(0), 2)).isLessThan(200_000);

      assertThat(network.lateness().packets()).isGreaterThan(4L * PROBES);
      assertThat(network.lateness().shareLaterThan(0)).isEqualTo(1);
    } finally {
      network.destroy();
    }
    assertThat(Commands.run("ip", "netns", "list")).doesNotContain("curtail-" + ADDRESSES.label());
  }

  @Test
  void should_say_what_a_container_lacks_when_it_may_not_make_a_namespace() throws IOException {
    NetworkPrograms.requireNamespaces(List.of("true"));
    assertThatThrownBy(() -> NetworkPrograms.requireNamespaces(List.of("false")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a network with a namespace a node needs network namespaces (in a container: --cap-add NET_ADMIN --cap-add SYS_ADMIN)");
  }

  private NamespaceNetwork create() throws IOException {
    try (DeadMansSwitch unused = new DeadMansSwitch()) {
      return NamespaceNetwork.create(
          ADDRESSES, 4, 2, directory, directory.resolve("programs"), unused);
    }
  }

  private static double pingMicros(String source, int node) throws IOException {
    return Ping.medianNanos(List.of(), source, ADDRESSES.node(node, 2), 10) / 1000.0;
  }
}
