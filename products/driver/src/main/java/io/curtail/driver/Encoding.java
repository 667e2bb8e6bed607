/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.api.core.session.Request;
import java.util.List;
import java.util.Map;

/**
 * Tries whether the values of a simple statement can be encoded, before the driver takes a stream
 * id for it: if they cannot be, it never gives the id back, and the node looks busier by one for as
 * long as the connection lives.
 */
final class Encoding {
  private Encoding() {}

  /**
   * @throws RuntimeException as the driver itself, if a value cannot be encoded
   */
  static void check(Request request, DriverContext context) {
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

  private static void check(Iterable<Object> values, DriverContext context) {
    for (Object value : values) {
      if (value != null && !(value instanceof Token)) {
        context.getCodecRegistry().codecFor(value).encode(value, context.getProtocolVersion());
      }
    }
  }
}
