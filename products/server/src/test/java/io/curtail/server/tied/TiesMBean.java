/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server.tied;

/** Switches the proof and reads its counts. */
public interface TiesMBean {
  /** The name it is registered under. */
  String NAME = "io.curtail.proof:type=Ties";

  /** After how long the second copy goes; 0 for never. */
  long getDelayMicros();

  /** See {@link #getDelayMicros()}. */
  void setDelayMicros(long micros);

  /** Second copies sent by this coordinator. */
  long getCopies();

  /** Second copies whose answer came first and completed the waiting read. */
  long getAnsweredByCopy();

  /** Claims sent by this replica. */
  long getClaims();

  /** Copies that this replica dropped before it served them. */
  long getDropped();

  /** Copies that both replicas started, as this one learnt from a claim that came too late. */
  long getStartedTwice();
}
