/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.backlog.Backlog.Sender;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private final List<String> sent = new ArrayList<>();
  private final List<String> expired = new ArrayList<>();
  private int permits;

  private final Backlog<String> backlog =
      new Backlog<>(
          2,
          new Sender<String>() {
            @Override
            public long trySend(String request, long nowNanos) {
              if (permits == 0) {
                return 100;
              }
              permits--;
              sent.add(request);
              return 0;
            }

            @Override
            public void onExpired(String request, long nowNanos) {
              expired.add(request);
            }
          });

  @Test
  void should_send_at_once_when_a_replica_may_get_it() {
    permits = 1;
    assertThat(backlog.submit("a", 1_000, 0)).isTrue();
    assertThat(sent).containsExactly("a");
    assertThat(backlog.size()).isZero();
  }

  @Test
  void should_send_first_in_first_out_when_permits_come() {
    backlog.submit("a", 1_000, 0);
    backlog.submit("b", 1_000, 0);
    permits = 1;
    assertThat(backlog.drain(10)).isEqualTo(100);
    permits = 2;
    assertThat(backlog.drain(20)).isEqualTo(Backlog.NOTHING_TO_WAIT_FOR);
    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void should_not_let_a_new_request_overtake() {
    backlog.submit("a", 1_000, 0);
    permits = 1;
    assertThat(backlog.submit("b", 1_000, 5)).isTrue();
    assertThat(sent).containsExactly("a");
    assertThat(backlog.size()).isEqualTo(1);
  }

  @Test
  void should_refuse_when_full() {
    assertThat(backlog.submit("a", 1_000, 0)).isTrue();
    assertThat(backlog.submit("b", 1_000, 0)).isTrue();
    assertThat(backlog.submit("c", 1_000, 0)).isFalse();
    assertThat(backlog.size()).isEqualTo(2);
  }

  @Test
  void should_drop_a_request_at_its_deadline_and_never_wait_beyond_it() {
    backlog.submit("a", 50, 0);
    assertThat(backlog.drain(10)).isEqualTo(40);
    permits = 1;
    backlog.drain(50);
    assertThat(expired).containsExactly("a");
    assertThat(sent).isEmpty();
  }
}
