/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.waiting.Waiting.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import io.curtail.driver.ThrottlerBacklog.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ThrottlerBacklogTest {
  private final ThrottlerBacklog backlog = new ThrottlerBacklog(4);
  private final AtomicInteger waiting = new AtomicInteger();

  @Test
  void should_serve_the_line_whose_head_is_oldest_first() {
    Throttled first = add("a");
    Throttled second = add("b");
    Throttled third = add("a");
    Throttled fourth = add("b");
    List<Throttled> served = new ArrayList<>();
    PriorityQueue<WaitingRequest> heads = backlog.heads();
    assertThat(heads).hasSize(2);
    for (WaitingRequest head = heads.poll(); head != null; head = heads.poll()) {
      served.add(head.throttled);
      assertThat(backlog.remove(head.throttled)).isTrue();
      WaitingRequest next = backlog.headOfLine(head);
      if (next != null) {
        heads.add(next);
      }
    }
    assertThat(served).containsExactly(first, second, third, fourth);
    assertThat(backlog.size()).isZero();
    assertThat(waiting).hasValue(0);
    assertThat(backlog.heads()).isEmpty();
  }

  @Test
  void should_refuse_when_full_and_give_each_request_away_once() {
    Throttled first = add("a");
    add("b");
    add("b");
    add("c");
    assertThat(backlog.add(waiting(new Unused(), "d"))).isEqualTo(Outcome.FULL);
    assertThat(backlog.refused()).isEqualTo(1);
    assertThat(backlog.remove(first)).isTrue();
    assertThat(backlog.remove(first)).isFalse();
    assertThat(waiting).hasValue(3);
    assertThat(backlog.add(waiting(new Unused(), "d"))).isEqualTo(Outcome.WAITS);
    assertThat(backlog.admitted()).isEqualTo(5);
  }

  @Test
  void should_give_back_all_and_take_none_when_closed() {
    Throttled first = add("a");
    Throttled second = add("b");
    List<Throttled> left = backlog.close();
    assertThat(left).containsExactlyInAnyOrder(first, second);
    assertThat(backlog.add(waiting(new Unused(), "a"))).isEqualTo(Outcome.CLOSED);
    assertThat(left).allMatch(backlog::remove);
    assertThat(waiting).hasValue(0);
  }

  /** Each answer asks whether its request waited. */
  @Test
  void should_let_an_answer_pass_while_the_backlog_is_looked_through() throws Exception {
    add("a");
    synchronized (backlog) {
      assertThat(
              CompletableFuture.supplyAsync(() -> backlog.remove(new Unused()))
                  .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
          .isFalse();
    }
  }

  private Throttled add(String group) {
    Throttled request = new Unused();
    assertThat(backlog.add(waiting(request, group))).isEqualTo(Outcome.WAITS);
    return request;
  }

  private WaitingRequest waiting(Throttled request, String group) {
    waiting.incrementAndGet();
    return new WaitingRequest(request, group, new AtomicInteger[] {waiting}, () -> null);
  }

  private static final class Unused implements Throttled {
    @Override
    public void onThrottleReady(boolean wasDelayed) {
      throw new AssertionError();
    }

    @Override
    public void onThrottleFailure(RequestThrottlingException error) {
      throw new AssertionError();
    }
  }
}
