/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Cassandra says with an answer in which it left everything out. */
class RefusalTest {
  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  private static Message.Builder<?> answer() {
    return Message.builder(Verb.READ_RSP, NoPayload.noPayload).from(address(2));
  }

  @ParameterizedTest
  @EnumSource(
      value = ParamType.class,
      names = {
        "TOMBSTONE_FAIL",
        "LOCAL_READ_SIZE_FAIL",
        "ROW_INDEX_READ_SIZE_FAIL",
        "TOO_MANY_REFERENCED_INDEXES_FAIL"
      })
  void should_know_an_answer_over_a_threshold(ParamType threshold) {
    Message<?> answer = answer().withParam(threshold, 7L).build();
    assertThat(Cassandra50Messages.isRefusal(answer)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = ParamType.class,
      names = {"TOMBSTONE_WARNING", "LOCAL_READ_SIZE_WARN", "ROW_INDEX_READ_SIZE_WARN"})
  void should_take_an_answer_with_a_warning_for_an_answer(ParamType warning) {
    Message<?> answer = answer().withParam(warning, 7L).build();
    assertThat(Cassandra50Messages.isRefusal(answer)).isFalse();
  }

  @Test
  void should_take_an_answer_without_parameters_for_an_answer() {
    assertThat(Cassandra50Messages.isRefusal(answer().build())).isFalse();
  }
}
