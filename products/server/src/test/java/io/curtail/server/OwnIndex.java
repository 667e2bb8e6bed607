/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;

/** Reads of a node's own data by an index, or of no partition. */
final class OwnIndex {
  private static final int READS = 20;

  private final PluggedCluster cluster;

  OwnIndex(PluggedCluster cluster) {
    this.cluster = cluster;
  }

  /** The first node, which prefers itself, sends none of them away. */
  void assertReadsItself() {
    for (String using : new String[] {"", " USING 'sai'"}) {
      String table = using.isEmpty() ? "ks.indexed" : "ks.attached";
      create(table, using);
      awaitOwn("SELECT v FROM " + table + " WHERE p = 1 AND v = 2");
      awaitOwn("SELECT v FROM " + table + " WHERE v = 2");
      awaitOwn("SELECT v FROM " + table + " LIMIT 1");
    }
  }

  private void create(String table, String index) {
    cluster.change("CREATE TABLE " + table + " (p int, c int, v int, PRIMARY KEY (p, c))");
    cluster.change("CREATE INDEX ON " + table + " (v)" + index);
    for (int c = 0; c < 10; c++) {
      cluster
          .session()
          .execute(
              SimpleStatement.newInstance(
                      "INSERT INTO " + table + " (p, c, v) VALUES (1, " + c + ", " + c + ")")
                  .setConsistencyLevel(ConsistencyLevel.ALL));
    }
    patiently()
        .ignoreExceptions()
        .until(() -> answers("SELECT v FROM " + table + " WHERE p = 1 AND v = 2"));
  }

  private boolean answers(String query) {
    return cluster
            .session()
            .execute(
                SimpleStatement.newInstance(query)
                    .setConsistencyLevel(ConsistencyLevel.LOCAL_ONE)
                    .setNode(cluster.driverNode(1)))
            .one()
        != null;
  }

  /** Until it has heard of all nodes it asks others, whose index may not be built yet. */
  private void awaitOwn(String query) {
    patiently()
        .alias(query)
        .ignoreException(ReadFailureException.class)
        .until(() -> sentAway(query) == 0);
  }

  /** How many of some reads through the first node it sent to the others. */
  private long sentAway(String query) {
    long before = sent();
    for (int i = 0; i < READS; i++) {
      assertThat(answers(query)).as(query).isTrue();
    }
    return sent() - before;
  }

  private long sent() {
    return sentTo(2) + sentTo(3);
  }

  /** None as long as it has not heard of the other. */
  private long sentTo(int replica) {
    return cluster.scoresIfAny(1, replica).map(row -> row.getLong("sent")).orElse(0L);
  }
}
