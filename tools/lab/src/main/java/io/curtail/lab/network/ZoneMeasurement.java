/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

/**
 * A round trip as asked for and as measured.
 *
 * @param between {@code client} (and a node) or {@code node} (and a node)
 * @param wantedMicros from the table; between nodes the mean of both directions
 * @param medianMicros of pings, without any other program at the far end
 */
public record ZoneMeasurement(
    String between, String from, String to, double wantedMicros, double medianMicros) {

  /** How far it is off, in microseconds. */
  public double errorMicros() {
    return medianMicros - wantedMicros;
  }
}
