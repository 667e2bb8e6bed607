/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Map;

/** Curtail on this node, through JMX. Thread-safe. */
public interface CurtailMBean {
  /** The name it is registered under. */
  String NAME = "io.curtail:type=Curtail";

  /** What is done now: {@code off}, {@code observe}, {@code rank} or {@code rank+rate}. */
  String getMode();

  /**
   * Sets the mode, also after Curtail switched itself off.
   *
   * @throws IllegalArgumentException if there is no such mode
   */
  void setMode(String mode);

  /** Why the mode that was set is not in force; empty if it is. */
  String getProblem();

  /** The exceptions caught since the node started. */
  long getErrors();

  /** Every setting by name. */
  Map<String, String> getSettings();

  /**
   * Changes a setting of the running node.
   *
   * @throws IllegalArgumentException if the name or the value is not understood
   */
  void set(String name, String value);

  /** What was done since the node started, by name. */
  Map<String, Long> getCounts();

  /**
   * The last score of each replica, lower is better; NaN before the first. The unit is the
   * policy's: nanoseconds for C3's.
   */
  Map<String, Double> getScores();
}
