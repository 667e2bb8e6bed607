/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.cql.DefaultPrepareRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterStatementTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (k int PRIMARY KEY)",
        "alter table t add v int",
        "  \n\tDrop KEYSPACE IF EXISTS ks",
        "TRUNCATE t",
        "USE \"Ks\"",
        "-- as of today\n/* and on */ // all nodes\nCREATE INDEX ON t (v)",
      })
  void should_include_what_concerns_all_nodes_or_the_session(String query) {
    assertThat(ClusterStatement.includes(SimpleStatement.newInstance(query))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM t",
        "INSERT INTO t (k) VALUES (1)",
        "UPDATE t SET v = 1 WHERE k = 1",
        "DELETE FROM t WHERE k = 1",
        "BEGIN BATCH APPLY BATCH",
        "/* CREATE */ SELECT v FROM t",
        "/* DROP",
        "-- USE ks",
        "US",
        "-",
        ""
      })
  void should_not_include_reads_and_writes(String query) {
    assertThat(ClusterStatement.includes(SimpleStatement.newInstance(query))).isFalse();
  }

  /** The driver's tracker is told of no answer to it. */
  @Test
  void should_include_a_preparation_whatever_it_prepares() {
    assertThat(ClusterStatement.includes(new DefaultPrepareRequest("SELECT v FROM t"))).isTrue();
  }

  @Test
  void should_not_include_a_batch_or_a_control_connection() {
    assertThat(ClusterStatement.includes(BatchStatement.newInstance(BatchType.LOGGED))).isFalse();
    assertThat(ClusterStatement.includes(null)).isFalse();
  }
}
