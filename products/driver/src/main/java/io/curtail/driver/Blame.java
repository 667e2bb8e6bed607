/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.CrcMismatchException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.TruncateException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What an error says of the node that a request was sent to.
 *
 * <p>Timeouts and missing replicas count against the coordinator although other nodes may have
 * caused them: one that is cut off from its peers answers "unavailable" at once, and would draw all
 * load. Two of them do not: "unavailable" is believed if this client too cannot reach a replica of
 * the request, and timeouts of Paxos are contention among clients.
 */
enum Blame {
  /** The error is the node's own. */
  NODE,

  /** The node answered, but the request, its replicas or other clients are at fault. */
  ANSWERED,

  /** Nothing came from the node: it was not asked, or not waited for. */
  NOTHING;

  /** {@code RequestFailureReason.INCOMPATIBLE_SCHEMA}: nodes that do not know the same columns. */
  private static final int INCOMPATIBLE_SCHEMA = 3;

  /**
   * Why no node would answer a read: {@code RequestFailureReason.READ_TOO_MANY_TOMBSTONES}, {@code
   * INCOMPATIBLE_SCHEMA}, {@code READ_SIZE}, {@code INDEX_NOT_AVAILABLE} and {@code
   * READ_TOO_MANY_INDEXES}. Nodes give reasons from version 5 of the native protocol on.
   */
  private static final Set<Integer> OF_THE_READ = Set.of(1, INCOMPATIBLE_SCHEMA, 4, 6, 7);

  private static final Set<Integer> OF_THE_WRITE = Set.of(INCOMPATIBLE_SCHEMA);

  /**
   * @param replicaIsDown whether this client cannot reach one of the request's replicas of which a
   *     consistency level asks for some
   */
  static Blame of(Throwable error, Predicate<ConsistencyLevel> replicaIsDown) {
    if (error instanceof CoordinatorException) {
      return isOfNode((CoordinatorException) error, replicaIsDown) ? NODE : ANSWERED;
    }
    boolean brokenOrSilent =
        error instanceof ClosedConnectionException
            || error instanceof HeartbeatException
            || error instanceof CrcMismatchException
            || error instanceof DriverTimeoutException
            || error instanceof IOException;
    return brokenOrSilent ? NODE : NOTHING;
  }

  private static boolean isOfNode(
      CoordinatorException error, Predicate<ConsistencyLevel> replicaIsDown) {
    if (error instanceof UnavailableException) {
      return !replicaIsDown.test(((UnavailableException) error).getConsistencyLevel());
    }
    if (error instanceof WriteTimeoutException) {
      return ((WriteTimeoutException) error).getWriteType() != DefaultWriteType.CAS;
    }
    if (error instanceof ReadTimeoutException) {
      return !((ReadTimeoutException) error).getConsistencyLevel().isSerial();
    }
    if (error instanceof ReadFailureException) {
      return !isAny(((ReadFailureException) error).getReasonMap(), OF_THE_READ);
    }
    if (error instanceof WriteFailureException) {
      return !isAny(((WriteFailureException) error).getReasonMap(), OF_THE_WRITE);
    }
    return error instanceof OverloadedException
        || error instanceof BootstrappingException
        || error instanceof ServerError
        || error instanceof TruncateException;
  }

  private static boolean isAny(Map<InetAddress, Integer> reasons, Set<Integer> excused) {
    return reasons.values().stream().anyMatch(excused::contains);
  }
}
