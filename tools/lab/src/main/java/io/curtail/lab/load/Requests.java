/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;

/** The reads and writes of one session, prepared. */
final class Requests {
  private final CqlSession session;
  private final Duration timeout;
  private final Table.Statements statements;

  /** One request. */
  record Request(boolean isRead, BoundStatement statement) {}

  Requests(CqlSession session, Table table, Duration timeout) {
    this.session = session;
    this.timeout = timeout;
    statements = table.prepare(session);
  }

  /** Draws operation, key and value, in this order and always all three. */
  Request next(SplittableRandom random, Mix mix, Keys keys, ConsistencyLevel consistency) {
    boolean isRead = random.nextDouble() < mix.readShare();
    long row = keys.next(random);
    long valueSeed = random.nextLong();
    BoundStatement statement = isRead ? statements.read(row) : statements.write(row, valueSeed);
    return new Request(isRead, statement.setConsistencyLevel(consistency));
  }

  CompletionStage<AsyncResultSet> send(Request request) {
    return session.executeAsync(request.statement());
  }

  Duration timeout() {
    return timeout;
  }
}
