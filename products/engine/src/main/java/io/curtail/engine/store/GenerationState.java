/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

/**
 * The life of a generation of a table, as the {@linkplain Generations catalog} keeps it. Each step
 * is on the disk before anything is done that rests on it.
 *
 * <pre>{@code
 * CREATING -> SERVING -> MOVING_OUT -> MOVED
 *                |  ^---------'  |
 *                '---> DEAD <----'
 * }</pre>
 */
public enum GenerationState {
  /** Its column family may be there or not, with nothing in it that was acknowledged. */
  CREATING(1),

  /** Its rows are the table's. */
  SERVING(2),

  /** Its rows are the table's, and are being written to Cassandra's data files as well. */
  MOVING_OUT(3),

  /** All its rows are in Cassandra's data files. */
  MOVED(4),

  /** Its rows were truncated or dropped. */
  DEAD(5);

  private static final GenerationState[] ALL = values();

  final byte code;

  GenerationState(int code) {
    this.code = (byte) code;
  }

  static GenerationState of(byte code) {
    for (GenerationState state : ALL) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IllegalArgumentException("no state of a generation: " + code);
  }

  /** Whether its rows are the table's. */
  public boolean isLive() {
    return this == SERVING || this == MOVING_OUT;
  }

  boolean mayBecome(GenerationState next) {
    switch (this) {
      case CREATING:
        return next != MOVED;
      case SERVING:
        return next == MOVING_OUT || next == DEAD;
      case MOVING_OUT:
        return next != CREATING;
      default:
        return false;
    }
  }
}
