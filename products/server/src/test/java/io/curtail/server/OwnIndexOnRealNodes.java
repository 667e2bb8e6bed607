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
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With second copies on, a node that prefers itself reads its own data also where a read asks for
 * an index, or for no partition.
 */
class OwnIndexOnRealNodes {
  private static final int READS = 20;

  @TempDir private Path directory;
  private PluggedCluster cluster;

  @Test
  void should_read_its_own_data_by_an_index_with_second_copies_on() throws Exception {
    try (PluggedCluster started =
        PluggedCluster.start(
            directory,
            "5.0.9",
            3,
            """
            delegate_snitch=GossipingPropertyFileSnitch
            mode=rank
            badness_threshold=100
            refresh_percent=0
            passing=on
            passing_hop_ms=0
            copies_percent=10
            """,
            Map.of("hinted_handoff_enabled", false))) {
      cluster = started;
      for (String using : new String[] {"", " USING 'sai'"}) {
        String table = using.isEmpty() ? "ks.indexed" : "ks.attached";
        create(table, using);
        awaitOwn("SELECT v FROM " + table + " WHERE p = 1 AND v = 2");
        awaitOwn("SELECT v FROM " + table + " WHERE v = 2");
        awaitOwn("SELECT v FROM " + table + " LIMIT 1");
      }
      for (int node = 1; node <= 3; node++) {
        cluster.assertNoErrors(node, "errors", "passing_errors");
      }
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
