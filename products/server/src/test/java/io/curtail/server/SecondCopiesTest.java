/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.curtail.selection.passing.Route;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SecondCopiesTest {
  private final Counts counts = new Counts();
  private final FakeHost host = new FakeHost();
  private final LiveSettings live =
      new LiveSettings(
          Settings.defaults().with(Map.of("mode", "rank", "passing", "on", "copies_percent", "2")),
          host,
          counts,
          mode -> {});
  private final Guard guard = new Guard(host::nanoTime, live::switchPassingOff);
  private final SecondCopies copies = new SecondCopies(live, counts, guard);
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger givenUp = new AtomicInteger();
  private final Object callback = new Object();
  private final CarriedRead read =
      new CarriedRead(
          7, "token", new Route(address(2), address(3), address(4)), 0, null, callback, 0);

  private final SecondCopies.Sender sender =
      new SecondCopies.Sender() {
        @Override
        public void sendCopy(CarriedRead due) {
          sent.incrementAndGet();
          if (sent.get() == 3) {
            due.answered(address(2), 1);
          }
        }

        @Override
        public void giveUp(CarriedRead due) {
          givenUp.incrementAndGet();
        }
      };

  SecondCopiesTest() {
    live.start();
  }

  @Test
  void should_send_copies_until_the_read_is_answered() {
    assertThat(copies.areOn()).isTrue();
    copies.follow(read, sender);
    await().untilAsserted(() -> assertThat(sent).hasValue(3));
    CarriedRead later = new CarriedRead(8, "token", read.route(), 0, null, callback, 0);
    copies.follow(later, sender);
    await().untilAsserted(() -> assertThat(sent).hasValueGreaterThan(3));
    assertThat(read.isDue()).isFalse();
    assertThat(givenUp).hasValue(0);
  }

  @Test
  void should_give_up_when_it_is_switched_off() {
    live.set(Map.of("copies_percent", "0"));
    assertThat(copies.areOn()).isFalse();
    copies.follow(read, sender);
    await().untilAsserted(() -> assertThat(givenUp).hasValue(1));
    assertThat(sent).hasValue(0);
  }

  @Test
  void should_give_up_when_a_copy_cannot_be_sent() {
    copies.follow(
        read,
        new SecondCopies.Sender() {
          @Override
          public void sendCopy(CarriedRead due) {
            throw new IllegalStateException("sabotage");
          }

          @Override
          public void giveUp(CarriedRead due) {
            givenUp.incrementAndGet();
          }
        });
    await().untilAsserted(() -> assertThat(givenUp).hasValue(1));
    await().untilAsserted(() -> assertThat(guard.errors()).isEqualTo(1));
  }
}
