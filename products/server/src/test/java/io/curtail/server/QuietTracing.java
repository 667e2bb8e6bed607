/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.tracing.TraceState;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.utils.TimeUUID;

/**
 * Keeps the sessions of traces as Cassandra does and writes down nothing, for which there would
 * have to be a node. The module's pom names it to the JVM of the tests.
 */
public final class QuietTracing extends Tracing {
  private static final class QuietState extends TraceState {
    QuietState(InetAddressAndPort coordinator, TimeUUID session, TraceType type) {
      super(coordinator, session, type);
    }

    @Override
    protected void traceImpl(String message) {}
  }

  @Override
  protected void stopSessionImpl() {}

  @Override
  public TraceState begin(String request, InetAddress client, Map<String, String> parameters) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected TraceState newTraceState(
      InetAddressAndPort coordinator, TimeUUID session, TraceType type) {
    return new QuietState(coordinator, session, type);
  }

  @Override
  public void trace(ByteBuffer session, String message, int ttl) {}
}
