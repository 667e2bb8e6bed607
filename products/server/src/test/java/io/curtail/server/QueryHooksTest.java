/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;

/** What clients are told of the node that answers them. */
class QueryHooksTest extends CoordinatorParts {
  private final ResultMessage result = new ResultMessage.Void();
  private final ByteBuffer others = ByteBuffer.allocate(1);

  @Test
  void should_refuse_second_copies_only_while_no_read_thread_is_free() {
    live.set(Map.of("mode", "rank"));
    host.slots = 4;
    host.activeReads = 3;
    parts.hooks.refuseIfBusy();
    host.activeReads = 4;
    assertThatThrownBy(parts.hooks::refuseIfBusy).isInstanceOf(CopyRefusedException.class);
    live.set(Map.of("mode", "off"));
    parts.hooks.refuseIfBusy();
    assertThat(parts.counts.copiesRefused.sum()).isEqualTo(1);
  }

  @Test
  void should_add_its_load_to_what_an_answer_carries() {
    live.set(Map.of("mode", "rank"));
    result.setCustomPayload(Map.of("theirs", others));
    parts.hooks.attach(result, new RequestTime(host.now - 9_000, host.now - 5_000));
    Map<String, ByteBuffer> payload = result.getCustomPayload();
    assertThat(payload).hasSize(2).containsEntry("theirs", others);
    assertThat(FeedbackCodec.decode(payload.get(CurtailQueryHandler.KEY).array()))
        .isEqualTo(new Feedback(0, 0, 128, 5_000));
  }

  @Test
  void should_add_nothing_while_it_is_off() {
    live.set(Map.of("mode", "off"));
    result.setCustomPayload(Map.of("theirs", others));
    parts.hooks.attach(result, new RequestTime(host.now));
    assertThat(result.getCustomPayload()).containsOnlyKeys("theirs");
  }

  @Test
  void should_answer_without_its_load_when_that_cannot_be_told() {
    live.set(Map.of("mode", "rank"));
    parts.hooks.attach(result, null);
    assertThat(result.getCustomPayload()).isNull();
    assertThat(parts.guard.errors()).isEqualTo(1);
  }
}
