/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/** What a host must do for a policy beyond telling it of answers, failures and feedback. */
public enum HostAbility {
  /** Counts its outstanding requests at every replica, also at the one that it may be itself. */
  COUNT_OUTSTANDING_EVERYWHERE,

  /** Gives each replica the weight of its distance. */
  WEIGH_DISTANCE,

  /** Sends the probes that a {@link ProbingPolicy} asks for. */
  SEND_PROBES,

  /** Tells of every answer by itself, not of several by their mean. */
  TELL_EACH_ANSWER
}
