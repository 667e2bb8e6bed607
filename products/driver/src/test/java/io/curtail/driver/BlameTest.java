/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.netty.handler.codec.EncoderException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlameTest {
  private static final Node NODE = Nodes.unconnected(1);
  private static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);

  static Stream<Throwable> errorsOfTheNode() {
    return Stream.of(
        new OverloadedException(NODE),
        new BootstrappingException(NODE),
        new ServerError(NODE, "broken"),
        new UnavailableException(NODE, ConsistencyLevel.QUORUM, 2, 1),
        new ReadTimeoutException(NODE, ConsistencyLevel.QUORUM, 1, 2, true),
        new WriteTimeoutException(NODE, ConsistencyLevel.ONE, 0, 1, DefaultWriteType.SIMPLE),
        readFailure(Map.of()), // as in version 4 of the protocol
        readFailure(0),
        readFailure(2),
        readFailure(5),
        writeFailure(0),
        writeFailure(2),
        new HeartbeatException(ADDRESS, "silent", null),
        new ClosedConnectionException("closed"),
        new ClosedChannelException());
  }

  static Stream<Throwable> answersThatSayNothing() {
    return Stream.of(
        new WriteTimeoutException(NODE, ConsistencyLevel.SERIAL, 1, 2, DefaultWriteType.CAS),
        new ReadTimeoutException(NODE, ConsistencyLevel.LOCAL_SERIAL, 1, 2, true),
        new CASWriteUnknownException(NODE, ConsistencyLevel.SERIAL, 1, 2),
        new InvalidQueryException(NODE, "no such table"),
        readFailure(1),
        readFailure(3),
        readFailure(4),
        readFailure(6),
        readFailure(7),
        writeFailure(3));
  }

  static Stream<Throwable> errorsOfTheClient() {
    return Stream.of(
        new BusyConnectionException(1024),
        new FrameTooLongException(ADDRESS, "too long"),
        new CancellationException(),
        new RequestThrottlingException("full"),
        new EncoderException(new IllegalArgumentException("cannot be encoded")),
        new IllegalStateException("unexpected"));
  }

  @ParameterizedTest
  @MethodSource("errorsOfTheNode")
  void should_blame_the_node_when_the_error_is_its_own(Throwable error) {
    assertThat(Blame.of(error, level -> false)).isEqualTo(Blame.NODE);
  }

  @ParameterizedTest
  @MethodSource("answersThatSayNothing")
  void should_count_an_answer_only_when_others_are_at_fault(Throwable error) {
    assertThat(Blame.of(error, level -> false)).isEqualTo(Blame.ANSWERED);
  }

  @ParameterizedTest
  @MethodSource("errorsOfTheClient")
  void should_count_nothing_when_nothing_came_from_the_node(Throwable error) {
    assertThat(Blame.of(error, level -> false)).isEqualTo(Blame.NOTHING);
  }

  @Test
  void should_believe_unavailable_when_this_client_too_misses_a_replica() {
    Throwable unavailable = new UnavailableException(NODE, ConsistencyLevel.QUORUM, 2, 1);
    assertThat(Blame.of(unavailable, level -> level == ConsistencyLevel.QUORUM))
        .isEqualTo(Blame.ANSWERED);
  }

  private static ReadFailureException readFailure(int reason) {
    return readFailure(Map.of(ADDRESS.getAddress(), reason));
  }

  private static ReadFailureException readFailure(Map<InetAddress, Integer> reasons) {
    return new ReadFailureException(NODE, ConsistencyLevel.QUORUM, 1, 2, 1, true, reasons);
  }

  private static WriteFailureException writeFailure(int reason) {
    return new WriteFailureException(
        NODE,
        ConsistencyLevel.QUORUM,
        1,
        2,
        DefaultWriteType.SIMPLE,
        1,
        Map.of(ADDRESS.getAddress(), reason));
  }
}
