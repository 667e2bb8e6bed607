/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveSettingsTest {
  private final List<Mode> modes = new ArrayList<>();
  private final Settings initial = Settings.defaults().with(Map.of("mode", "rank"));
  private final FakeHost host = new FakeHost();
  private final LiveSettings live = new LiveSettings(initial, host, new Counts(), modes::add);

  @BeforeEach
  void start() {
    live.start();
    assertThat(live.mode()).isEqualTo(Mode.RANK);
  }

  @Test
  void should_stay_switched_off_when_the_file_changes_but_not_the_mode_in_it() {
    live.switchOff("ten errors");
    live.reload(Map.of("mode", "rank", "refresh_ms", "300"));
    assertThat(live.mode()).isEqualTo(Mode.OFF);
    assertThat(live.problem()).isEqualTo("ten errors");
    assertThat(live.settings().probes.silenceNanos()).isEqualTo(300_000_000L);
    live.reload(Map.of("mode", "observe"));
    assertThat(live.mode()).isEqualTo(Mode.OBSERVE);
  }

  @Test
  void should_come_back_when_an_operator_sets_a_mode() {
    live.switchOff("ten errors");
    live.set(Map.of("refresh_ms", "300"));
    assertThat(live.mode()).isEqualTo(Mode.OFF);
    live.set(Map.of("mode", "rank"));
    assertThat(live.mode()).isEqualTo(Mode.RANK);
  }

  @Test
  void should_pass_reads_again_when_the_file_names_another_passing() {
    live.reload(Map.of("passing", "on"));
    live.switchPassingOff("ten errors");
    live.reload(Map.of("passing", "on", "refresh_ms", "300"));
    assertThat(live.passing()).isEqualTo(Passing.OFF);
    live.reload(Map.of("passing", "off"));
    live.reload(Map.of("passing", "on"));
    assertThat(live.passing()).isEqualTo(Passing.ON);
  }

  @Test
  void should_be_off_when_errors_go_on_after_passing_was_switched_off() {
    live.switchPassingOff("ten errors");
    assertThat(live.mode()).isEqualTo(Mode.RANK);
    live.switchPassingOff("ten of reads that were under way");
    assertThat(live.mode()).isEqualTo(Mode.RANK);
    host.now += 61_000_000_000L;
    live.switchPassingOff("ten more");
    assertThat(live.mode()).isEqualTo(Mode.OFF);
    assertThat(live.problem()).isEqualTo("ten more");
  }

  @Test
  void should_forget_what_was_measured_when_it_averages_over_another_time() {
    ActivePolicy before = live.policy();
    live.set(Map.of("refresh_ms", "300"));
    assertThat(live.policy()).isSameAs(before);
    live.set(Map.of("averaging_ms", "3000"));
    assertThat(live.policy()).isNotSameAs(before);
  }

  @Test
  void should_limit_rates_anew_when_they_are_counted_in_other_windows() {
    ActivePolicy before = live.policy();
    live.set(Map.of("rate_window_ms", "1000"));
    assertThat(live.policy()).as("nothing limits rates").isSameAs(before);
    live.set(Map.of("mode", "rank+rate"));
    ActivePolicy limiting = live.policy();
    assertThat(limiting).isNotSameAs(before);
    assertThat(rateOfOne(limiting)).isEqualTo(10);
    live.set(Map.of("rate_window_ms", "100"));
    assertThat(live.policy()).isNotSameAs(limiting);
    assertThat(rateOfOne(live.policy())).isEqualTo(100);
  }

  private static double rateOfOne(ActivePolicy policy) {
    return policy.peers().of(FakeHost.address(2)).rate.limit();
  }

  @Test
  void should_keep_a_setting_that_changes_while_it_follows_the_cluster() throws Exception {
    Semaphore counts = new Semaphore(0);
    Semaphore mayGoOn = new Semaphore(0);
    host.counting =
        () -> {
          counts.release();
          mayGoOn.acquireUninterruptibly();
        };
    Thread follows = new Thread(live::followCluster);
    Thread sets = new Thread(() -> live.set(Map.of("clients", "7")));
    follows.start();
    counts.acquireUninterruptibly();
    sets.start();
    eventually(() -> assertThat(sets.getState()).isIn(State.BLOCKED, State.TERMINATED));
    mayGoOn.release();
    follows.join();
    sets.join();
    assertThat(live.policy().clients()).isEqualTo(7);
  }

  @Test
  void should_tell_of_each_mode_that_comes_into_force() {
    live.set(Map.of("mode", "observe"));
    live.snitchIs(true, true);
    assertThat(live.ordersReads()).isFalse();
    live.snitchIs(false, true);
    assertThat(modes).containsExactly(Mode.RANK, Mode.OBSERVE, Mode.OFF, Mode.OBSERVE);
  }
}
