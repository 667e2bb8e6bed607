/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

/** The share of reads among the requests, under the names of YCSB's core workloads. */
public enum Mix {
  A("update heavy", 0.5),
  B("read mostly", 0.95),
  C("read only", 1),
  /** Not one of YCSB's: the other end of the scale. */
  W("write only", 0);

  private final String description;
  private final double readShare;

  Mix(String description, double readShare) {
    this.description = description;
    this.readShare = readShare;
  }

  public String description() {
    return description;
  }

  /** Between 0 and 1; the rest are writes of whole rows. */
  public double readShare() {
    return readShare;
  }
}
