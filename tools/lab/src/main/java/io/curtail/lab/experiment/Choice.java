/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.util.Locale;

/** What a user may choose, and not every scenario looks at. */
public enum Choice {
  RATE,
  CONSISTENCY,
  MIX,
  CLIENTS,
  KEYS,
  POLICY,
  SERVER,
  INTERVAL,
  DELAY,
  PAUSE,
  TABLE,
  HEAP,
  OFF_HEAP,
  MEMORY,
  PARAMETER;

  /** As it is typed. */
  public String option() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
