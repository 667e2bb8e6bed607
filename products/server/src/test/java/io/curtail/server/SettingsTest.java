/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  @TempDir private Path directory;

  @Test
  void should_average_as_the_policy_does_unless_told_otherwise() {
    Settings settings = Settings.defaults();
    assertThat(settings.load.averagingNanos()).isEqualTo(50_000_000L);
    assertThat(settings.with(Map.of("policy", "c3")).load.averagingNanos()).isZero();
    assertThat(settings.with(Map.of("averaging_ms", "0")).load.averagingNanos()).isZero();
    assertThat(settings.with(Map.of("averaging_ms", "3000")).load.averagingNanos())
        .isEqualTo(3_000_000_000L);
    assertThatThrownBy(() -> settings.with(Map.of("averaging_ms", "-1")))
        .hasMessageContaining("averaging_ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3", "adaptive-replica-selection", "random"})
  void should_refuse_an_averaging_time_that_the_policy_does_not_use(String policy) {
    Settings settings = Settings.defaults().with(Map.of("averaging_ms", "20"));
    assertThatThrownBy(() -> settings.with(Map.of("policy", policy)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "averaging_ms: must be auto or 0 with policy '"
                + policy
                + "', which does not average over time, not '20'");
    assertThat(settings.with(Map.of("policy", policy, "averaging_ms", "auto")).policy.name())
        .isEqualTo(policy);
    assertThat(settings.with(Map.of("policy", policy, "averaging_ms", "0")).policy.name())
        .isEqualTo(policy);
  }

  @Test
  void should_observe_by_default() {
    assertThat(Settings.defaults().mode).isEqualTo(Mode.OBSERVE);
    assertThat(Settings.defaults().activeRateControl()).isEqualTo("none");
  }

  @Test
  void should_count_rates_in_windows_as_long_as_told() {
    Settings limited = Settings.defaults().with(Map.of("mode", "rank+rate"));
    double usual = limited.newRateControl(0).limit();
    Settings longer = limited.with(Map.of("rate_window_ms", "1000"));
    assertThat(longer.newRateControl(0).limit()).isCloseTo(usual / 50, within(1e-9));
    assertThat(Settings.defaults().newRateControl(0)).isNull();
  }

  @Test
  void should_say_what_is_wrong_in_one_line() {
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("mood", "good")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no setting 'mood'")
        .hasMessageContaining("refresh_ms");
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("backlog_ms", "1001")))
        .hasMessage("backlog_ms: must be a whole number from 0 to 1000, not '1001'");
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("rate_window_ms", "0")))
        .hasMessage("rate_window_ms: must be a whole number from 1 to 10000, not '0'");
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("badness_threshold", "-1")))
        .hasMessage("badness_threshold: must be a number from 0 to 100, not '-1'");
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("passing_except", "ks.t, a.b.c")))
        .hasMessage(
            "passing_except: must be none, or keyspaces and tables by commas (shop, logs.events),"
                + " not 'ks.t, a.b.c'");
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("policy", "best")))
        .hasMessageContaining("c3");
  }

  @Test
  void should_be_checked_before_a_node_has_them() throws IOException {
    Path file = directory.resolve("curtail.properties");
    assertThatThrownBy(() -> CheckSettings.check(file.toString()))
        .hasMessage("no such file: " + file);
    Files.writeString(file, "mode = rank\n");
    assertThatThrownBy(() -> CheckSettings.check(file.toString()))
        .hasMessageStartingWith("delegate_snitch: ");
    Files.writeString(file, "mode = rank\ndelegate_snitch = SimpleSnitch\n");
    assertThat(CheckSettings.check(file.toString())).isEqualTo("right, mode rank");
    Files.writeString(file, "mode = rank\ndelegate_snitch = SimpleSnitch\nrefresh_ms = soon\n");
    assertThatThrownBy(() -> CheckSettings.check(file.toString()))
        .hasMessageStartingWith("refresh_ms: must be a whole number");

    Files.writeString(file, "mode = rank\ndelegate_snitch = SimpleSnitch\ndecay_ms = 0\n");
    assertThatThrownBy(() -> CheckSettings.check(file.toString()))
        .hasMessageStartingWith("there is no setting 'decay_ms'; there are delegate_snitch, mode,");

    assertThat(CheckSettings.check("mode=rank", "refresh_ms=500")).isEqualTo("right, mode rank");
    assertThatThrownBy(() -> CheckSettings.check("mode=rank", "delegate_snitch=SimpleSnitch"))
        .hasMessageContaining("can only change with a restart");
    assertThatThrownBy(() -> CheckSettings.check("mode=rank", "refresh_ms"))
        .hasMessage("setting=value expected, not 'refresh_ms'");
    assertThatThrownBy(CheckSettings::check).hasMessageStartingWith("a file of settings");
  }

  @Test
  void should_know_tables_and_whole_keyspaces_whose_reads_stay() {
    assertThat(Settings.defaults().passingExcept.contains("shop", "carts")).isFalse();
    for (String text :
        new String[] {"shop, logs.events,shop.carts", "shop.carts,shop,logs.events"}) {
      TableNames except = Settings.defaults().with(Map.of("passing_except", text)).passingExcept;
      assertThat(except.contains("shop", "carts")).isTrue();
      assertThat(except.contains("shop", "orders")).isTrue();
      assertThat(except.contains("logs", "events")).isTrue();
      assertThat(except.contains("logs", "other")).isFalse();
      assertThat(except.contains("other", "events")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "least-outstanding",
        "power-of-two",
        "peak-ewma",
        "dynamic-snitch",
        "dynamic-snitch-p90",
        "tars",
        "prequal",
        "weighted-least-loaded",
        "adaptive",
        "driver-default"
      })
  void should_refuse_a_policy_that_would_be_another_on_a_node(String policy) {
    assertThatThrownBy(() -> Settings.defaults().with(Map.of("policy", policy)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("policy: '" + policy + "' cannot run on a node: it ")
        .hasMessageContaining("c3-per-slot");
  }

  @ParameterizedTest
  @ValueSource(strings = {"curtail", "c3", "c3-per-slot", "random", "adaptive-replica-selection"})
  void should_take_a_policy_that_needs_answers_and_feedback_alone(String policy) {
    assertThat(Settings.defaults().with(Map.of("policy", policy)).policy.name()).isEqualTo(policy);
  }

  @Test
  void should_change_the_topology_only_with_a_restart() {
    Settings settings = Settings.defaults().with(Map.of("delegate_snitch", "Ec2Snitch"));
    assertThat(settings.withLive(Map.of("mode", "rank", "delegate_snitch", "Ec2Snitch")).mode)
        .isEqualTo(Mode.RANK);
    assertThatThrownBy(() -> settings.withLive(Map.of("delegate_snitch", "SimpleSnitch")))
        .hasMessage("delegate_snitch: can only change with a restart of the node");
  }

  @Test
  void should_notice_when_the_file_changes() throws Exception {
    Path path = Files.writeString(directory.resolve("a file.properties"), "mode = rank+rate \n");
    SettingsFile file = new SettingsFile(path);
    assertThat(Settings.defaults().with(file.read()).mode).isEqualTo(Mode.RANK_AND_RATE);
    assertThat(file.hasChanged()).isFalse();
    Files.setLastModifiedTime(path, FileTime.fromMillis(1_000));
    assertThat(file.hasChanged()).isTrue();
    Files.delete(path);
    assertThat(file.hasChanged()).isFalse();
    assertThatThrownBy(file::read).hasMessageContaining("curtail.properties");
  }

  @Test
  void should_read_the_file_again_when_it_was_read_as_it_was_being_written() throws Exception {
    Path path = Files.writeString(directory.resolve("written.properties"), "");
    FileTime tick = Files.getLastModifiedTime(path);
    SettingsFile file = new SettingsFile(path);
    assertThat(file.read()).isEmpty();
    assertThat(file.hasChanged()).isFalse();
    Files.writeString(path, "mode = rank\n");
    Files.setLastModifiedTime(path, tick);
    assertThat(file.hasChanged()).isTrue();
    assertThat(file.read()).containsEntry("mode", "rank");
    assertThat(file.hasChanged()).isFalse();
  }
}
