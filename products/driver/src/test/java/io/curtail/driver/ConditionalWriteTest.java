/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionalWriteTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (k) VALUES (?) IF NOT EXISTS",
        "insert into t (k) values (?) if not exists using ttl 5",
        "UPDATE t SET v = ? WHERE k = ? IF v = ?",
        "UPDATE t SET v = ? WHERE k = ?\nIF EXISTS",
        "DELETE FROM t WHERE k = ? IF EXISTS",
        "  delete v from t where k = 'if' IF v = 3",
        "/* note */ UPDATE t SET v = ? WHERE k = ? IF(v) = ?",
        "BEGIN BATCH INSERT INTO t (k) VALUES (1) IF NOT EXISTS APPLY BATCH",
        "-- comment\nUPDATE t SET v = 1 WHERE k = 1 IF v = 'it''s'",
      })
  void should_recognise_a_condition(String query) {
    assertThat(ConditionalWrite.matches(query)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (k) VALUES (?)",
        "INSERT INTO t (k, v) VALUES (1, 'what IF not')",
        "INSERT INTO t (k, \"IF\") VALUES (1, 2)",
        "INSERT INTO t (k, v) VALUES (1, $$ if $$)",
        "UPDATE t SET v = ? WHERE k = ? -- IF v = 2",
        "UPDATE t SET v = ? /* IF EXISTS */ WHERE k = ?",
        "UPDATE iff SET gif = ? WHERE k = ?",
        "SELECT * FROM t WHERE v = 'x' ALLOW FILTERING",
        "CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY)",
        "DROP TABLE IF EXISTS t",
        "",
      })
  void should_not_see_a_condition_where_there_is_none(String query) {
    assertThat(ConditionalWrite.matches(query)).isFalse();
  }
}
