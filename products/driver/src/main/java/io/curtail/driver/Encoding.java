/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.DefaultProtocolFeature;
import com.datastax.oss.driver.internal.core.ProtocolFeature;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import java.util.List;
import java.util.Map;

/**
 * Tries whether a statement can be encoded, before the driver takes a stream id for it: if it
 * cannot be, the driver never gives the id back, and the node looks busier by one for as long as
 * the connection lives. Tried are the values of simple statements, and the keyspace and the time
 * that a statement brings, which only later protocols have room for.
 */
final class Encoding {
  private Encoding() {}

  /**
   * @throws RuntimeException as the driver itself, if it cannot be encoded
   */
  static void check(Request request, InternalDriverContext context) {
    if (!(request instanceof Statement)) {
      return;
    }
    Statement<?> statement = (Statement<?>) request;
    if (statement.getNowInSeconds() != Statement.NO_NOW_IN_SECONDS) {
      check(DefaultProtocolFeature.NOW_IN_SECONDS, "nowInSeconds", context);
    }
    if (statement.getKeyspace() != null
        && (request instanceof SimpleStatement || request instanceof BatchStatement)) {
      check(DefaultProtocolFeature.PER_REQUEST_KEYSPACE, "per-request keyspace", context);
    }
    if (request instanceof SimpleStatement) {
      List<Object> positional = ((SimpleStatement) request).getPositionalValues();
      if (!positional.isEmpty()) {
        check(positional, context);
      }
      Map<?, Object> named = ((SimpleStatement) request).getNamedValues();
      if (!named.isEmpty()) {
        check(named.values(), context);
      }
    }
  }

  private static void check(ProtocolFeature feature, String what, InternalDriverContext context) {
    if (!context.getProtocolVersionRegistry().supports(context.getProtocolVersion(), feature)) {
      throw new IllegalArgumentException(
          "Can't use " + what + " with protocol " + context.getProtocolVersion());
    }
  }

  private static void check(Iterable<Object> values, InternalDriverContext context) {
    for (Object value : values) {
      if (value != null && !(value instanceof Token)) {
        context.getCodecRegistry().codecFor(value).encode(value, context.getProtocolVersion());
      }
    }
  }
}
