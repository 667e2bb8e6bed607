/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.passing.Route;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
        public void rescue(CarriedRead due) {}

        @Override
        public void giveUp(CarriedRead due) {
          givenUp.incrementAndGet();
        }
      };

  SecondCopiesTest() {
    live.start();
  }

  /** As many reads are answered as one of which may be slower than the rest. */
  private void learn() {
    for (int i = 0; i < 50; i++) {
      CarriedRead known = new CarriedRead(100 + i, "token", read.route(), 0, null, callback, 0);
      known.copyItself();
      known.tail = copies.tail("a table");
      copies.answered(known, null, known.answered(address(2), 0));
    }
  }

  private void learnThatReadsTakeAnHour(String table) {
    learnThatReadsTake(TimeUnit.HOURS.toNanos(1), table);
  }

  private void learnThatReadsTake(long nanos, String table) {
    for (int i = 0; i < 50; i++) {
      CarriedRead slow = new CarriedRead(100 + i, "token", read.route(), 0, null, callback, 0);
      slow.copyItself(System.nanoTime() - nanos);
      slow.tail = copies.tail(table);
      copies.answered(slow, null, slow.answered(address(2), 0));
    }
  }

  @Test
  void should_judge_a_read_by_what_is_slow_for_its_table() {
    learn();
    learnThatReadsTakeAnHour("a slow table");
    CarriedRead patient = new CarriedRead(11, "token", read.route(), 0, null, callback, 0);
    copies.follow(patient, "a slow table", sender);
    copies.follow(read, "a table", sender);
    eventually(() -> assertThat(sent).hasValue(3));
    assertThat(patient.copyTries.made()).isZero();
    assertThat(copies.tail("a slow table").delayNanos())
        .isGreaterThan(TimeUnit.MINUTES.toNanos(50));
    assertThat(copies.tail("a table").delayNanos()).isLessThan(TimeUnit.MINUTES.toNanos(1));
    assertThat(givenUp).hasValue(0);
  }

  @Test
  void should_send_none_until_it_is_known_how_long_reads_take() {
    copies.follow(read, "a table", sender);
    eventually(() -> assertThat(givenUp).hasValue(1));
    assertThat(sent).hasValue(0);
    learn();
    copies.follow(read, "a table", sender);
    eventually(() -> assertThat(sent).hasValue(3));
  }

  @Test
  void should_send_copies_until_the_read_is_answered() {
    learn();
    assertThat(copies.areOn()).isTrue();
    copies.follow(read, "a table", sender);
    eventually(() -> assertThat(sent).hasValue(3));
    eventually(() -> assertThat(read.isDue()).isFalse()); // the third is answered once it is sent
    assertThat(givenUp).hasValue(0);
    CarriedRead later = new CarriedRead(8, "token", read.route(), 0, null, callback, 0);
    copies.follow(later, "a table", sender);
    eventually(() -> assertThat(sent).hasValueGreaterThan(3));
  }

  /** It may be set to come sooner: here the other would be due in an hour. */
  @Test
  void should_send_the_first_copy_when_cassandras_own_was_due() {
    learnThatReadsTakeAnHour("a table");
    CarriedRead quick = new CarriedRead(9, "token", read.route(), 0, null, callback, 0);
    quick.copyItself();
    copies.follow(quick, "a table", sender);
    copies.hasten(quick, sender);
    copies.hasten(quick, sender);
    eventually(() -> assertThat(sent).hasValue(1));
    assertThat(quick.wasSlow()).as("for its table").isFalse();
    CarriedRead after = new CarriedRead(10, "token", read.route(), 0, null, callback, 0);
    after.copyItself();
    after.tail = copies.tail("a table");
    copies.hasten(after, sender);
    eventually(() -> assertThat(sent).as("none more of the one before").hasValue(2));
    assertThat(givenUp).hasValue(0);
  }

  /** Cassandra's own would have left by now. */
  @Test
  void should_try_again_at_the_usual_interval_while_cassandras_own_is_held_back() {
    learnThatReadsTake(TimeUnit.SECONDS.toNanos(5), "a table");
    long expires = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    CarriedRead hastened = new CarriedRead(9, "token", read.route(), 0, null, callback, expires);
    hastened.copyItself();
    assertThat(hastened.askAgain("a retry", address(3), replica -> true)).isNull();
    copies.follow(hastened, "a table", sender);
    copies.hasten(hastened, sender);
    eventually(() -> assertThat(sent).hasValue(2));
    assertThat(hastened.restNanos(copies.tail("a table").delayNanos())).isPositive();
    assertThat(givenUp).hasValue(0);
  }

  /** A thread may have looked before whether they are on. */
  @Test
  void should_tell_what_is_slow_also_when_copies_were_just_switched_off() {
    learnThatReadsTakeAnHour("a table");
    live.set(Map.of("copies_percent", "0"));
    assertThat(copies.tail("a table").delayNanos()).isPositive();
    SecondCopies never = new SecondCopies(live, counts, guard);
    assertThat(never.tail("a table").delayNanos()).isNegative();
  }

  @Test
  void should_give_up_when_it_is_switched_off() {
    live.set(Map.of("copies_percent", "0"));
    assertThat(copies.areOn()).isFalse();
    copies.follow(read, "a table", sender);
    eventually(() -> assertThat(givenUp).hasValue(1));
    assertThat(sent).hasValue(0);
  }

  /** Its thread wakes up a thousand times a second. */
  @Test
  void should_end_its_thread_while_it_is_switched_off_and_have_another_when_it_is_on_again() {
    AtomicReference<Thread> first = new AtomicReference<>();
    copies.soon(() -> first.set(Thread.currentThread()));
    eventually(() -> assertThat(first.get()).isNotNull());
    copies.rest();
    copies.rest();
    assertThat(first.get().isAlive()).as("copies are on").isTrue();

    live.set(Map.of("copies_percent", "0"));
    copies.rest();
    copies.rest();
    assertThat(first.get().isAlive()).as("reads are carried").isTrue();

    live.set(Map.of("passing", "off"));
    copies.follow(read, "a table", sender);
    copies.rest();
    eventually(() -> assertThat(givenUp).as("what it had to do").hasValue(1));
    eventually(
        () -> {
          copies.rest();
          assertThat(first.get().isAlive()).isFalse();
        });

    live.set(Map.of("passing", "on", "copies_percent", "2"));
    copies.follow(read, "a table", sender);
    eventually(() -> assertThat(givenUp).hasValue(2));
    assertThat(guard.errors()).isZero();
  }

  /** Its last task, of a read that was under way, may find that copies are on again. */
  @Test
  void should_end_its_thread_while_that_needs_another() {
    Semaphore atWork = new Semaphore(0);
    Semaphore mayGoOn = new Semaphore(0);
    AtomicInteger later = new AtomicInteger();
    copies.soon(
        () -> {
          atWork.release();
          mayGoOn.acquireUninterruptibly();
          copies.soon(later::incrementAndGet);
        });
    atWork.acquireUninterruptibly();
    live.set(Map.of("passing", "off"));
    copies.rest();
    Thread rests = new Thread(copies::rest, "rests");
    rests.setDaemon(true);
    rests.start();
    eventually(() -> assertThat(rests.getState()).isEqualTo(Thread.State.TIMED_WAITING));
    mayGoOn.release();
    eventually(() -> assertThat(later).hasValue(1));
    eventually(() -> assertThat(rests.isAlive()).isFalse());
    assertThat(guard.errors()).isZero();
  }

  @Test
  void should_give_up_when_a_copy_cannot_be_sent() {
    learn();
    copies.follow(
        read,
        "a table",
        new SecondCopies.Sender() {
          @Override
          public void sendCopy(CarriedRead due) {
            throw new IllegalStateException("sabotage");
          }

          @Override
          public void rescue(CarriedRead due) {}

          @Override
          public void giveUp(CarriedRead due) {
            givenUp.incrementAndGet();
          }
        });
    eventually(() -> assertThat(givenUp).hasValue(1));
    eventually(() -> assertThat(guard.errors()).isEqualTo(1));
  }
}
