/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

/** A record does not say what a record can: its row or partition cannot be read. */
public final class DamagedRecordException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  DamagedRecordException(String message) {
    super(message);
  }
}
