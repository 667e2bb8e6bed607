/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

/**
 * A record that is to be written back has a column that the table's definition does not know: the
 * definition may be older than the record. Nothing was written.
 */
public final class UnknownColumnException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  UnknownColumnException() {
    super("a record has a column that the table does not have; nothing was written");
  }
}
