/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.exceptions.ExceptionCode;
import org.apache.cassandra.exceptions.RequestExecutionException;

/**
 * This node has no free thread for a second copy of a driver's request. Told by the error code on
 * which the Java driver goes on to the next node without asking its retry policy, which might give
 * the request up though another node is still at work on it.
 */
final class CopyRefusedException extends RequestExecutionException {
  private static final long serialVersionUID = 1;

  CopyRefusedException() {
    super(ExceptionCode.IS_BOOTSTRAPPING, "no free thread for a second copy");
  }

  /** Refusing costs less than serving. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
