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
  private final LabTable.Statements statements;

  /** One request. */
  record Request(boolean isRead, BoundStatement statement) {}

  Requests(CqlSession session, LabTable table, Duration timeout) {
    this.session = session;
    this.timeout = timeout;
    statements = table.prepare(session);
  }

  /** What is drawn for a request. */
  record Drawn(boolean isRead, long row, long valueSeed) {}

  /** Draws operation, key and value, in this order and always all three. */
  static Drawn draw(SplittableRandom random, Mix mix, KeyDistribution keys) {
    return new Drawn(random.nextDouble() < mix.readShare(), keys.next(random), random.nextLong());
  }

  Request next(
      SplittableRandom random, Mix mix, KeyDistribution keys, ConsistencyLevel consistency) {
    Drawn drawn = draw(random, mix, keys);
    BoundStatement statement =
        drawn.isRead()
            ? statements.read(drawn.row())
            : statements.write(drawn.row(), drawn.valueSeed());
    return new Request(drawn.isRead(), statement.setConsistencyLevel(consistency));
  }

  CompletionStage<AsyncResultSet> send(Request request) {
    return session.executeAsync(request.statement());
  }

  Duration timeout() {
    return timeout;
  }
}
