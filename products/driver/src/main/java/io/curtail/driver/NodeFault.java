/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import java.util.concurrent.CancellationException;

/**
 * Tells errors that speak against the node which returned them from errors of the request itself.
 *
 * <p>Timeouts and missing replicas count although other nodes may have caused them: a coordinator
 * cut off from its peers answers "unavailable" at once. If the fault is with the replicas, all
 * coordinators report it, and their order stays.
 */
final class NodeFault {
  /** {@code RequestFailureReason.READ_TOO_MANY_TOMBSTONES} in the native protocol, version 5. */
  private static final int TOO_MANY_TOMBSTONES = 1;

  private NodeFault() {}

  static boolean isFaultOfNode(Throwable error) {
    if (error instanceof ReadFailureException) {
      return !((ReadFailureException) error).getReasonMap().containsValue(TOO_MANY_TOMBSTONES);
    }
    return !(error instanceof QueryValidationException
        || error instanceof FunctionFailureException
        || error instanceof FrameTooLongException
        || error instanceof BusyConnectionException
        || error instanceof CancellationException);
  }
}
