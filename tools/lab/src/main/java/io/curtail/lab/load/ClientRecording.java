/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one client saw, by the second of the intended start. Written by the client's thread alone.
 */
final class ClientRecording {
  static final long HIGHEST_MICROS = 600_000_000;

  private final String zone;
  private final long beginNanos;
  private final Histogram[] seconds;
  private final Map<String, int[]> requestsByNode = new HashMap<>();
  private final Map<String, Long> errors = new HashMap<>();
  private final Histogram latenessMicros = new Histogram(1, HIGHEST_MICROS, 3);
  private final Histogram writes = new Histogram(1, HIGHEST_MICROS, 3);
  private long answeredInTime;
  private long inFlightNanos;
  private final CopyRecording copies;
  private DelayError delayError = DelayError.none();

  ClientRecording(String zone, long beginNanos, Duration length) {
    this.zone = zone;
    this.beginNanos = beginNanos;
    seconds = new Histogram[(int) ((length.toMillis() + 999) / 1000)];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = new Histogram(1, 2, 3);
      seconds[i].setAutoResize(true);
    }
    copies = new CopyRecording(seconds.length);
  }

  void lateness(long intendedNanos, long lateNanos) {
    if (second(intendedNanos) >= 0) {
      latenessMicros.recordValue(micros(lateNanos));
    }
  }

  void success(long intendedNanos, long latencyNanos, boolean isRead, String coordinator) {
    int second = second(intendedNanos);
    answeredInTime += second(intendedNanos + latencyNanos) >= 0 ? 1 : 0;
    if (second >= 0) {
      record(second, latencyNanos, isRead);
      inFlightNanos += latencyNanos;
      requestsByNode.computeIfAbsent(coordinator, node -> new int[seconds.length])[second]++;
    }
  }

  /**
   * Counts as slow as what is not answered at all: a quick refusal is no quick answer.
   *
   * @param timeoutNanos the request's
   */
  void failure(
      long intendedNanos, long latencyNanos, long timeoutNanos, boolean isRead, Throwable error) {
    int second = second(intendedNanos);
    if (second >= 0) {
      record(second, Math.max(latencyNanos, timeoutNanos), isRead);
      inFlightNanos += latencyNanos;
      errors.merge(error.getClass().getSimpleName(), 1L, Long::sum);
    }
  }

  /**
   * What the driver reports with an answer.
   *
   * @param sent beside the first of a request, to other nodes
   * @param won whether one of them was answered first
   */
  void copies(long intendedNanos, int sent, boolean won) {
    int second = second(intendedNanos);
    if (second >= 0) {
      copies.reported(second, sent, won);
    }
  }

  private void record(int second, long latencyNanos, boolean isRead) {
    seconds[second].recordValue(micros(latencyNanos));
    if (!isRead) {
      writes.recordValue(micros(latencyNanos));
    }
  }

  void delayError(DelayError error) {
    delayError = error;
  }

  /** Before the counted part, or after it (a closed loop's last request): -1. */
  private int second(long intendedNanos) {
    long second = Math.floorDiv(intendedNanos - beginNanos, 1_000_000_000L);
    return second >= 0 && second < seconds.length ? (int) second : -1;
  }

  private static long micros(long nanos) {
    return Math.max(1, Math.min(HIGHEST_MICROS, nanos / 1_000));
  }

  String zone() {
    return zone;
  }

  Histogram[] seconds() {
    return seconds;
  }

  /** All of them; what is left are reads. */
  Histogram writes() {
    return writes;
  }

  /** By the address of the coordinator, a count a second. */
  Map<String, int[]> requestsByNode() {
    return requestsByNode;
  }

  Map<String, Long> errors() {
    return errors;
  }

  /** Successes while the counted part lasted, whenever they were asked for. */
  long answeredInTime() {
    return answeredInTime;
  }

  /** For how long requests were in flight, one after the other. */
  long inFlightNanos() {
    return inFlightNanos;
  }

  CopyRecording copies() {
    return copies;
  }

  Histogram latenessMicros() {
    return latenessMicros;
  }

  DelayError delayError() {
    return delayError;
  }
}
