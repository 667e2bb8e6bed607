/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.selection.passing.Route;
import org.junit.jupiter.api.Test;

class CarrierCodecTest {
  private static Route route() {
    Route route = new Route(address(2), address(3), address(4));
    route.note(1, 5e6, 700);
    route.hop();
    return route;
  }

  private static void assertSame(Route read) {
    assertThat(read.size()).isEqualTo(3);
    assertThat(read.hops()).isEqualTo(1);
    assertThat(read.replica(2)).isEqualTo(address(4));
    assertThat(read.knows(0)).isFalse();
    assertThat(read.expectedNanos(1)).isEqualTo(5e6);
    assertThat(read.ageNanos(1)).isEqualTo(700);
  }

  @Test
  void should_read_what_was_written_when_a_read_goes_to_a_replica() {
    byte[] command = {1, 2, 3};
    CarrierCodec.Arrival read =
        CarrierCodec.decode(
            CarrierCodec.encode(
                new CarrierCodec.Arrival(route(), 1, CarriedTerms.AT_ONCE, 13, command)));
    assertSame(read.route);
    assertThat(read.place).isEqualTo(1);
    assertThat(read.terms).isEqualTo(CarriedTerms.AT_ONCE);
    assertThat(read.messagingVersion).isEqualTo(13);
    assertThat(read.read).isEqualTo(command);
  }

  @Test
  void should_read_what_was_written_when_a_read_is_given_back() {
    byte[] feedback = {4, 5};
    CarrierCodec.Return back =
        CarrierCodec.decodeReturn(CarrierCodec.encodeReturn(77, 2, route(), feedback));
    assertThat(back.id).isEqualTo(77);
    assertThat(back.next).isEqualTo(2);
    assertSame(back.route(new Route(address(2), address(3), address(4))));
    assertThat(back.feedback()).isEqualTo(feedback);
  }

  @Test
  void should_refuse_what_another_version_wrote() {
    byte[] bytes = CarrierCodec.encodeReturn(77, 2, route(), new byte[0]);
    bytes[0]++;
    assertThatThrownBy(() -> CarrierCodec.decodeReturn(bytes)).hasMessageContaining("version");
  }

  /** As where a read comes back to its coordinator, which is a replica, and its copy leaves. */
  @Test
  void should_write_what_can_be_read_while_more_becomes_known() throws Exception {
    byte[] command = {1, 2, 3};
    Object[] replicas = new Object[CarrierCodec.MAX_REPLICAS];
    for (int place = 0; place < replicas.length; place++) {
      replicas[place] = address(place + 1);
    }
    for (int round = 0; round < 2_000; round++) {
      Route route = new Route(replicas);
      Thread notes =
          new Thread(
              () -> {
                for (int place = replicas.length - 1; place >= 0; place--) {
                  route.note(place, 5e6, 700);
                }
              });
      notes.start();
      while (notes.isAlive()) {
        CarrierCodec.Arrival read =
            CarrierCodec.decode(
                CarrierCodec.encode(
                    new CarrierCodec.Arrival(route, 1, CarriedTerms.AT_ONCE, 13, command)));
        assertThat(read.read).isEqualTo(command);
      }
      notes.join();
    }
  }
}
