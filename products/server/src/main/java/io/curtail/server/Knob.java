/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.NodeDefaults;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Everything an operator can set, as it is written in the settings file and the virtual table. */
enum Knob {
  DELEGATE_SNITCH(
      "delegate_snitch",
      "",
      false,
      "the cluster's own snitch, which knows data centres and racks; required"),
  MODE(
      "mode",
      "observe",
      true,
      "off, observe, rank or rank+rate; to or from rank+rate it forgets what was measured, unless"
          + " rate_observe counts in both"),
  POLICY(
      "policy",
      NodeDefaults.RANKING,
      true,
      "how replicas are ranked; a change forgets what was measured"),
  CLIENTS(
      "clients", "auto", true, "C3's w: coordinators that read from the same replicas; 0-10000"),
  BADNESS_THRESHOLD(
      "badness_threshold",
      String.valueOf(NodeDefaults.NEAREST_THRESHOLD),
      true,
      "how much worse the nearest replica's score may be before another is first; 0-100"),
  AVERAGING_MILLIS(
      "averaging_ms",
      "auto",
      true,
      "over how long a replica's delays are averaged; auto, 0 (the latest) to 60000; a change"
          + " forgets what was measured"),
  REFRESH_MILLIS(
      "refresh_ms",
      String.valueOf(NodeDefaults.REFRESH_MILLIS),
      true,
      "a replica silent for longer gets a probe; 0 (never) to 60000"),
  REFRESH_PERCENT(
      "refresh_percent",
      String.valueOf(NodeDefaults.REFRESH_PERCENT),
      true,
      "probes in a hundred reads, at most; 0-10"),
  RATE_CONTROL(
      "rate_control",
      "cubic",
      true,
      "what limits the rate in rank+rate; where rates are limited or observed a change forgets what"
          + " was measured"),
  RATE_WINDOW_MILLIS(
      "rate_window_ms",
      String.valueOf(NodeDefaults.RATE_WINDOW_MILLIS),
      true,
      "the window in which rate_control counts; longer where reads take long; 1-10000; where"
          + " rates are limited a change forgets what was measured"),
  RATE_OBSERVE(
      "rate_observe",
      "false",
      true,
      "count what rank+rate would hold, in observe and rank, where a change forgets what was"
          + " measured; true, false"),
  BACKLOG_MILLIS(
      "backlog_ms",
      String.valueOf(NodeDefaults.BACKLOG_MILLIS),
      true,
      "a read waits at most this long for a replica; 0-1000"),
  BACKLOG_THREADS("backlog_threads", "32", true, "reads that may wait at once; 0-1024"),
  BACKLOG_FULL(
      "backlog_full", "send", true, "beyond that: send to the best replica, or overloaded"),
  PASSING("passing", "off", true, "reads that would wait go to another replica: off, observe, on"),
  PASSING_HOP_MILLIS(
      "passing_hop_ms",
      String.valueOf(NodeDefaults.PASSING_HOP_MILLIS),
      true,
      "a wait that is shorter is not worth passing on; 0-1000"),
  COPIES_PERCENT(
      "copies_percent",
      "0",
      true,
      "with passing on, slow reads that get a second copy, in a hundred; 0 (never) to 10"),
  PASSING_EXCEPT(
      "passing_except",
      "none",
      true,
      "keyspaces and tables whose reads are neither passed on nor copied, by commas; none"),
  DECISIONS_PER_SECOND("decisions_per_second", "10", true, "sampled into the table; 0-1000");

  private final String text;
  private final String defaultValue;
  private final boolean live;
  private final String description;

  Knob(String text, String defaultValue, boolean live, String description) {
    this.text = text;
    this.defaultValue = defaultValue;
    this.live = live;
    this.description = description;
  }

  String defaultValue() {
    return defaultValue;
  }

  /** Whether it can change while the node runs. */
  boolean live() {
    return live;
  }

  String description() {
    return description;
  }

  @Override
  public String toString() {
    return text;
  }

  static Knob named(String text) {
    for (Knob knob : values()) {
      if (knob.text.equals(text)) {
        return knob;
      }
    }
    throw new IllegalArgumentException(
        "there is no setting '"
            + text
            + "'; there are "
            + Arrays.stream(values()).map(Knob::toString).collect(Collectors.joining(", ")));
  }
}
