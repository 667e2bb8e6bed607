/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.ProbeRule;
import io.curtail.selection.rate.CubicSettings;
import io.curtail.selection.rate.RateControl;
import io.curtail.selection.rate.RateControls;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** One consistent set of settings, checked. Immutable. */
final class Settings {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Map<Knob, String> values;
  final Mode mode;
  final NamedPolicy policy;

  /** C3's w; 0 for the number of live coordinators. */
  final double clients;

  /** By which part of the best score the nearest replica's may be worse and it is still first. */
  final double badnessThreshold;

  /** How the policy measures replicas. */
  final LoadSettings load;

  final ProbeRule probes;
  private final String rateControl;
  private final CubicSettings rates;
  final boolean rateObserved;
  final long backlogNanos;
  final int backlogThreads;
  final boolean overloadedWhenBacklogFull;
  final int decisionsPerSecond;
  final Passing passing;
  final long passingHopNanos;

  /** Reads that get a second copy, in a hundred; as much work do the copies add at most. */
  final double copiesPercent;

  /** Whose reads are neither passed on nor copied. */
  final TableNames passingExcept;

  private Settings(Map<Knob, String> values) {
    this.values = values;
    this.mode = Mode.parse(text(Knob.MODE));
    this.policy = ServerPolicies.named(text(Knob.POLICY));
    this.clients = text(Knob.CLIENTS).equals("auto") ? 0 : number(Knob.CLIENTS, 10_000);
    this.badnessThreshold = decimal(Knob.BADNESS_THRESHOLD, 100);
    this.load = load();
    this.probes =
        new ProbeRule(
            number(Knob.REFRESH_MILLIS, 60_000) * NANOS_PER_MILLI,
            number(Knob.REFRESH_PERCENT, 10) / 100.0);
    this.rateControl = choice(Knob.RATE_CONTROL, RateControls.names().toArray(new String[0]));
    this.rates =
        CubicSettings.AUTHORS.withWindow(
            number(Knob.RATE_WINDOW_MILLIS, 1, 10_000) * NANOS_PER_MILLI);
    this.rateObserved = choice(Knob.RATE_OBSERVE, "true", "false").equals("true");
    this.backlogNanos = number(Knob.BACKLOG_MILLIS, 1000) * NANOS_PER_MILLI;
    this.backlogThreads = number(Knob.BACKLOG_THREADS, 1024);
    this.overloadedWhenBacklogFull =
        choice(Knob.BACKLOG_FULL, "send", "overloaded").equals("overloaded");
    this.passing = Passing.parse(text(Knob.PASSING));
    this.passingHopNanos = (long) (decimal(Knob.PASSING_HOP_MILLIS, 1000) * NANOS_PER_MILLI);
    this.copiesPercent = decimal(Knob.COPIES_PERCENT, 10);
    this.passingExcept = tables(Knob.PASSING_EXCEPT);
    this.decisionsPerSecond = number(Knob.DECISIONS_PER_SECOND, 1000);
  }

  private LoadSettings load() {
    LoadSettings own = policy.loadSettings();
    if (text(Knob.AVERAGING_MILLIS).equals("auto")) {
      return own;
    }
    int millis = number(Knob.AVERAGING_MILLIS, 60_000);
    if (millis > 0 && own.averagingNanos() == 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: must be auto or 0 with policy '%s', which does not average over time, not '%d'",
              Knob.AVERAGING_MILLIS,
              policy.name(),
              millis));
    }
    return millis == 0
        ? own.withNewSampleWeight(LoadSettings.PAPERS_NEW_SAMPLE_WEIGHT)
        : own.withAveragingTime(millis * NANOS_PER_MILLI);
  }

  static Settings defaults() {
    Map<Knob, String> values = new EnumMap<>(Knob.class);
    for (Knob knob : Knob.values()) {
      values.put(knob, knob.defaultValue());
    }
    return new Settings(values);
  }

  /**
   * Returns these settings with some changed.
   *
   * @throws IllegalArgumentException if a name or a value is not understood, in one line for the
   *     operator; then none is taken
   */
  Settings with(Map<String, String> changes) {
    Map<Knob, String> changed = new EnumMap<>(values);
    changes.forEach((name, value) -> changed.put(Knob.named(name), value.trim()));
    return new Settings(changed);
  }

  /**
   * As {@link #with}, of a running node.
   *
   * @throws IllegalArgumentException also if a setting can only change with a restart
   */
  Settings withLive(Map<String, String> changes) {
    Settings changed = with(changes);
    for (Knob knob : Knob.values()) {
      if (!knob.live() && !text(knob).equals(changed.text(knob))) {
        throw new IllegalArgumentException(knob + ": can only change with a restart of the node");
      }
    }
    return changed;
  }

  String text(Knob knob) {
    return values.get(knob);
  }

  /** Returns what limits the rate to a replica; null if nothing does. */
  RateControl newRateControl(long nowNanos) {
    return RateControls.create(activeRateControl(), rates, nowNanos);
  }

  /** Whether rates are limited as by other settings. */
  boolean limitsAs(Settings other) {
    String control = activeRateControl();
    return control.equals(other.activeRateControl())
        && (control.equals(RateControls.NONE)
            || text(Knob.RATE_WINDOW_MILLIS).equals(other.text(Knob.RATE_WINDOW_MILLIS)));
  }

  /** The rate control to run: none unless something asks for it. */
  String activeRateControl() {
    return mode == Mode.RANK_AND_RATE || (rateObserved && mode.measures())
        ? rateControl
        : RateControls.NONE;
  }

  String delegateSnitch() {
    return text(Knob.DELEGATE_SNITCH);
  }

  private int number(Knob knob, int max) {
    return number(knob, 0, max);
  }

  private int number(Knob knob, int min, int max) {
    try {
      int value = Integer.parseInt(text(knob));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s: must be a whole number from %d to %d, not '%s'",
            knob,
            min,
            max,
            text(knob)));
  }

  private double decimal(Knob knob, double max) {
    try {
      double value = Double.parseDouble(text(knob));
      if (value >= 0 && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT, "%s: must be a number from 0 to %.0f, not '%s'", knob, max, text(knob)));
  }

  private TableNames tables(Knob knob) {
    try {
      return TableNames.parse(text(knob));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(knob + ": " + e.getMessage(), e);
    }
  }

  private String choice(Knob knob, String... choices) {
    for (String choice : choices) {
      if (choice.equals(text(knob))) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        knob + ": must be one of " + String.join(", ", choices) + ", not '" + text(knob) + "'");
  }
}
