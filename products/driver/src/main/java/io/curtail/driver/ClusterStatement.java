/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PrepareRequest;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.cql.DefaultBatchStatement;
import com.datastax.oss.driver.internal.core.cql.DefaultBoundStatement;
import com.datastax.oss.driver.internal.core.cql.DefaultSimpleStatement;
import edu.umd.cs.findbugs.annotations.Nullable;

/**
 * Recognises requests whose time says nothing of the node that they were sent to: {@code CREATE},
 * {@code ALTER}, {@code DROP} and {@code USE}, which the driver reports only when it has read the
 * schema or told all connections, {@code TRUNCATE}, which waits for all nodes, and the preparation
 * of a statement, whose answer it reports to nobody.
 */
final class ClusterStatement {
  private ClusterStatement() {}

  /** Asked for each answer: classes are told several times quicker than interfaces. */
  static boolean includes(@Nullable Request request) {
    if (request instanceof DefaultSimpleStatement) {
      return matches(((DefaultSimpleStatement) request).getQuery());
    }
    if (request instanceof DefaultBoundStatement) {
      return matches(((DefaultBoundStatement) request).getPreparedStatement().getQuery());
    }
    return !(request instanceof DefaultBatchStatement) && includesOther(request);
  }

  private static boolean includesOther(@Nullable Request request) {
    if (request instanceof BoundStatement) {
      return matches(((BoundStatement) request).getPreparedStatement().getQuery());
    }
    if (request instanceof SimpleStatement) {
      return matches(((SimpleStatement) request).getQuery());
    }
    return request instanceof PrepareRequest;
  }

  static boolean matches(String query) {
    int start = start(query);
    if (start == query.length()) {
      return false;
    }
    switch (query.charAt(start)) {
      case 'A':
      case 'a':
        return begins("ALTER", query, start);
      case 'C':
      case 'c':
        return begins("CREATE", query, start);
      case 'D':
      case 'd':
        return begins("DROP", query, start);
      case 'T':
      case 't':
        return begins("TRUNCATE", query, start);
      case 'U':
      case 'u':
        return begins("USE", query, start);
      default:
        return false;
    }
  }

  private static boolean begins(String word, String query, int start) {
    return query.regionMatches(true, start, word, 0, word.length());
  }

  /** After blanks and comments. */
  private static int start(String query) {
    int at = 0;
    while (at < query.length()) {
      char character = query.charAt(at);
      if (character <= ' ') {
        at++;
      } else if (query.startsWith("--", at) || query.startsWith("//", at)) {
        at = after("\n", query, at);
      } else if (query.startsWith("/*", at)) {
        at = after("*/", query, at + 2);
      } else {
        return at;
      }
    }
    return at;
  }

  private static int after(String end, String query, int from) {
    int found = query.indexOf(end, from);
    return found < 0 ? query.length() : found + end.length();
  }
}
