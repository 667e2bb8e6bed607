/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

/** Which reads get more copies than they need. */
enum Copying {
  /** None. */
  NONE,

  /** The slowest, as Curtail does it: {@link SimulatedSecondCopies}. */
  SLOW,

  /** The slowest of {@code adaptive}, as the driver does it: {@link DriverCopies}. */
  BY_DRIVER,

  /** Those slower than most at their server: {@link BudgetedHedge}. */
  BUDGETED,

  /** Those of which two servers were idle: {@link NetClone}. */
  CLONED,

  /** The same; else the one with the shorter queue gets the read. */
  CLONED_OR_SHORTER_QUEUE,

  /** All, by copies that wait behind other reads: {@link Duplicates}. */
  ALL,

  /** The same, and services are interrupted. */
  ALL_INTERRUPTIBLE;

  /** Returns what makes the client's copies; null if there are none. */
  ExtraCopies of(Simulation simulation, Client client) {
    return switch (this) {
      case NONE -> null;
      case SLOW -> new SimulatedSecondCopies(simulation, client);
      case BY_DRIVER -> new DriverCopies(simulation, client);
      case BUDGETED -> new BudgetedHedge(simulation, client);
      case CLONED -> new NetClone(simulation, client, false);
      case CLONED_OR_SHORTER_QUEUE -> new NetClone(simulation, client, true);
      case ALL -> new Duplicates(client, Copy.IfBusy.WAITS_LAST);
      case ALL_INTERRUPTIBLE -> new Duplicates(client, Copy.IfBusy.MAKES_WAY);
    };
  }
}
