/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.load.ZoneClient;
import java.util.List;

/**
 * One side of a comparison. What differs may be the clients' policy, or a mode of the servers that
 * {@link #activate()} switches, or a cluster of its own.
 */
public interface Arm {
  /** As the report names it. */
  String name();

  /** Makes the arm the one that is measured next; returns when it is in force. */
  default void activate() {}

  /** One for each zone that has clients. */
  List<ZoneClient> clients();
}
