/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;

/** The reads and writes of one session, prepared. */
final class Requests {
  private final CqlSession session;
  private final Duration timeout;
  private final PreparedStatement read;
  private final PreparedStatement write;

  Requests(CqlSession session, Duration timeout) {
    this.session = session;
    this.timeout = timeout;
    read = session.prepare(Dataset.READ);
    write = session.prepare(Dataset.WRITE);
  }

  /** Draws operation, key and value, in this order and always all three, and sends it. */
  CompletionStage<AsyncResultSet> send(
      SplittableRandom random, Mix mix, Keys keys, ConsistencyLevel consistency, int valueBytes) {
    boolean reads = random.nextDouble() < mix.readShare();
    String key = Dataset.key(keys.next(random));
    long filling = random.nextLong();
    BoundStatement statement;
    if (reads) {
      statement = read.bind(key);
    } else {
      ByteBuffer value = ByteBuffer.allocate(valueBytes);
      if (valueBytes >= Long.BYTES) {
        value.putLong(0, filling);
      }
      statement = write.bind(key, value);
    }
    return session.executeAsync(statement.setConsistencyLevel(consistency));
  }

  Duration timeout() {
    return timeout;
  }
}
