/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

/** What is done to a cluster. */
public enum Kind {
  /** SIGKILL, and a start some time later. */
  KILL(4, Strikes.NONE),
  /** SIGSTOP, and SIGCONT some time later. */
  PAUSE(2, Strikes.NONE),
  /** ALTER of a table to another memtable. */
  MOVE(6, Strikes.ANY),
  /** A repair of one of several sorts. */
  REPAIR(3, Strikes.ANY),
  /** A snapshot, which must have files and is deleted again. */
  SNAPSHOT(2, Strikes.ANY),
  /** A flush, a compaction, or a sweep of a table. */
  MAINTAIN(3, Strikes.ANY),
  /** A node leaves. */
  DECOMMISSION(2, Strikes.STREAMS),
  /** The node that is out joins. */
  BOOTSTRAP(6, Strikes.STREAMS),
  /** The node that is out takes the part of one that is killed. */
  REPLACE(2, Strikes.STREAMS),
  /**
   * A node is killed and taken out of the ring by the others, who wait for each of them. If one of
   * those dies, too, Cassandra's way out is to force it, and rows are gone.
   */
  REMOVE(1, Strikes.NONE),
  /** A node takes another place in the ring. */
  MOVE_TOKEN(2, Strikes.STREAMS),
  /** A node asks others for its part of the rows again. */
  REBUILD(2, Strikes.STREAMS),
  /** The disk of RocksDB is full for some time. */
  FULL_DISK(2, Strikes.NONE),
  /** The table whose rows may go is emptied. */
  TRUNCATE(1, Strikes.ANY),
  /** The same table is emptied and gets the rows of a snapshot back. */
  RESTORE(1, Strikes.ANY),
  /** The index is dropped, and built again from the rows that are there. */
  INDEX(2, Strikes.ANY),
  /** The view is dropped, and built again. */
  VIEW(1, Strikes.NONE);

  /** What may happen to a node meanwhile. */
  enum Strikes {
    NONE,
    /** A short pause at any time, or a kill once rows stream: before, nobody else would see it. */
    STREAMS,
    ANY
  }

  final int weight;
  final Strikes strikes;

  Kind(int weight, Strikes strikes) {
    this.weight = weight;
    this.strikes = strikes;
  }
}
