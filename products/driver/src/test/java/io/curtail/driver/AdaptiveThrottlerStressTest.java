/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.simulacron.common.stubbing.CloseType;
import com.datastax.oss.simulacron.server.BoundNode;
import io.curtail.selection.rate.RateControls;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Many requests from several threads, of which some are cancelled and some time out, to nodes that
 * pause, close their connections, and stop; in sessions that are closed in the middle.
 *
 * <p>How late a request ends after its timeout is for the driver's timer and the machine to say. So
 * each is measured by a timeout of that timer which was set for the same time right after it, and
 * goes off next however late both are: by then the request has ended, and nothing holds it. {@code
 * -Dcurtail.throttler.requests=1000000} sends a million.
 */
class AdaptiveThrottlerStressTest {
  private static final int REQUESTS = Integer.getInteger("curtail.throttler.requests", 100_000);
  private static final int SESSIONS = 4;
  private static final int SENDERS = 3;

  /** More than may be in flight and wait, so that some are refused. */
  private static final int OUTSTANDING = 400;

  private static final int IN_FLIGHT_A_NODE = 16;
  private static final int QUEUE = 250;

  /** Times come from the driver's timer, which a busy machine makes late. */
  private static final Duration TIMEOUT = Duration.ofMillis(20);

  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final AtomicInteger askedTwice = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger timedOut = new AtomicInteger();
  private final AtomicInteger cancelled = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicLong waited = new AtomicLong();

  /** Timeouts that were set after those of requests, and went off. */
  private final AtomicInteger timers = new AtomicInteger();

  private final AtomicInteger outlivedTheirTimer = new AtomicInteger();
  private final AtomicInteger heldPastTheirTimeout = new AtomicInteger();
  private final LongAccumulator latestTimerNanos = new LongAccumulator(Math::max, 0);

  /** What ended without an answer, and its query. */
  private final Map<CompletionStage<?>, String> unanswered = new ConcurrentHashMap<>();

  private final Set<String> endedWhileTheyWaited = new HashSet<>();

  private SimulatedCluster cluster;

  @Test
  void should_lose_double_or_hold_no_request() throws Exception {
    cluster = SimulatedCluster.heardBy(this::onAsked, 3);
    try {
      for (int i = 0; i < SESSIONS; i++) {
        boolean rated = i % 2 == 1;
        boolean closesEarly = i >= SESSIONS / 2;
        useSession(rated ? RateControls.CUBIC : RateControls.NONE, closesEarly);
      }
    } finally {
      cluster.nodes().resumeRead();
      cluster.close();
    }
    assertThat(ended()).as("none lost").isEqualTo(sent.get()).isGreaterThanOrEqualTo(REQUESTS);
    assertThat(askedTwice).as("none doubled").hasValue(0);
    assertThat(timers).hasPositiveValue();
    assertThat(outlivedTheirTimer).as("ended after a timer set later").hasValue(0);
    assertThat(heldPastTheirTimeout).as("held past their timeout").hasValue(0);
    assertThat(endedWhileTheyWaited)
        .isNotEmpty()
        .as("sent none the less")
        .noneMatch(asked::contains);
    assertThat(answered.get()).isGreaterThan(REQUESTS / 10);
    assertThat(waited.get()).as("waited").isGreaterThan(REQUESTS / 100);
    for (AtomicInteger some : List.of(refused, timedOut, cancelled)) {
      assertThat(some).hasPositiveValue();
    }
    System.out.printf(
        "%d requests: %d answered, %d refused, %d timed out, %d cancelled, %d failed; %d waited,"
            + " of which %d ended so; timers up to %d ms late%n",
        sent.get(),
        answered.get(),
        refused.get(),
        timedOut.get(),
        cancelled.get(),
        failed.get(),
        waited.get(),
        endedWhileTheyWaited.size(),
        latestTimerNanos.get() / 1_000_000);
  }

  private void onAsked(String query) {
    if (query.startsWith("SELECT n") && !asked.add(query)) {
      askedTwice.incrementAndGet();
    }
  }

  private void useSession(String rateControl, boolean closesEarly) throws Exception {
    CqlSession session =
        cluster.connect(
            config ->
                config
                    .withClass(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
                    .withClass(DefaultDriverOption.REQUEST_THROTTLER_CLASS, WatchedThrottler.class)
                    .withInt(ThrottlerOption.MAX_IN_FLIGHT, IN_FLIGHT_A_NODE)
                    .withString(ThrottlerOption.RATE_CONTROL, rateControl)
                    .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, QUEUE)
                    .withDuration(
                        DefaultDriverOption.NETTY_TIMER_TICK_DURATION, Duration.ofMillis(1)));
    WatchedThrottler throttler = (WatchedThrottler) session.getContext().getRequestThrottler();
    ThrottlerBacklog backlog = throttler.backlog();
    await(() -> allUp(session));
    int target = sent.get() + REQUESTS / SESSIONS;
    Semaphore outstanding = new Semaphore(OUTSTANDING);
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      Random random = new Random(i);
      Thread sender =
          new Thread(
              () -> {
                while (sent.get() < target) {
                  outstanding.acquireUninterruptibly();
                  send(session, random, outstanding);
                }
              });
      sender.start();
      senders.add(sender);
    }
    Random random = new Random(7);
    int closesAt = target - REQUESTS / SESSIONS / 10;
    while (sent.get() < target) {
      if (closesEarly && sent.get() >= closesAt) {
        session.closeAsync();
        break;
      }
      disturb(cluster.node(0, random.nextInt(3)), random);
    }
    for (Thread sender : senders) {
      sender.join();
    }
    await(() -> outstanding.availablePermits() == OUTSTANDING);
    await(() -> backlog.size() == 0);
    if (!closesEarly) {
      await(() -> allUp(session));
      letAllTimeOut(session, backlog);
      await(() -> allUp(session) && inFlight(session) == 0);
      assertThat(nodes(session)).allMatch(node -> node.waiting.get() == 0);
    }
    waited.addAndGet(backlog.admitted());
    heldPastTheirTimeout.addAndGet(throttler.heldPastTheirTimeout.get());
    throttler.endedWhileTheyWaited.forEach(
        request -> endedWhileTheyWaited.add(unanswered.get(request)));
    unanswered.clear();
    session.forceCloseAsync().toCompletableFuture().join();
  }

  /** Or all would be refused while the queue is full, the more the slower the nodes are. */
  private void awaitAnswer() {
    int before = answered.get();
    for (int i = 0; i < 3 && answered.get() == before; i++) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void send(CqlSession session, Random random, Semaphore outstanding) {
    String query = "SELECT n" + sent.incrementAndGet() + " FROM t";
    int kind = random.nextInt(100);
    SimpleStatement statement = SimpleStatement.newInstance(query);
    if (kind < 10) {
      statement = statement.setTimeout(TIMEOUT);
    }
    CompletableFuture<AsyncResultSet> request = execute(session, statement, outstanding::release);
    if (kind >= 90) {
      request.cancel(true);
    }
    if (request.isCompletedExceptionally()) {
      awaitAnswer();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what is counted is returned
  private CompletableFuture<AsyncResultSet> execute(
      CqlSession session, SimpleStatement statement, Runnable then) {
    CompletableFuture<AsyncResultSet> request = start(session, statement);
    if (TIMEOUT.equals(statement.getTimeout())) {
      expectEndBeforeATimer(session, request);
    }
    request.whenComplete(
        (rows, error) -> {
          if (error != null) {
            unanswered.put(request, statement.getQuery());
          }
          count(error);
          then.run();
        });
    return request;
  }

  private static CompletableFuture<AsyncResultSet> start(
      CqlSession session, SimpleStatement statement) {
    try {
      return session.executeAsync(statement).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void expectEndBeforeATimer(CqlSession session, CompletableFuture<?> request) {
    Timer timer = ((InternalDriverContext) session.getContext()).getNettyOptions().getTimer();
    long due = System.nanoTime() + TIMEOUT.toNanos();
    try {
      timer.newTimeout(
          timeout -> {
            if (!request.isDone()) {
              outlivedTheirTimer.incrementAndGet();
            }
            latestTimerNanos.accumulate(System.nanoTime() - due);
            timers.incrementAndGet();
          },
          TIMEOUT.toNanos(),
          TimeUnit.NANOSECONDS);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("stopped"); // the session has closed
    }
  }

  private static void disturb(BoundNode node, Random random) throws InterruptedException {
    int kind = random.nextInt(4);
    if (kind == 0) {
      node.stop();
    } else if (kind == 1) {
      node.closeConnections(CloseType.DISCONNECT);
    } else {
      node.pauseRead();
    }
    Thread.sleep(random.nextInt(100));
    if (kind == 0) {
      node.start();
    }
    node.resumeRead();
    Thread.sleep(random.nextInt(200));
  }

  /** No node makes room, so those that wait leave by their timeouts alone. */
  private void letAllTimeOut(CqlSession session, ThrottlerBacklog backlog) {
    cluster.nodes().pauseRead();
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < 3 * IN_FLIGHT_A_NODE + QUEUE; i++) {
      String query = "SELECT n" + sent.incrementAndGet() + " FROM t";
      requests.add(
          execute(session, SimpleStatement.newInstance(query).setTimeout(TIMEOUT), () -> {}));
    }
    await(() -> requests.stream().allMatch(CompletableFuture::isDone));
    await(() -> backlog.size() == 0);
    cluster.nodes().resumeRead();
  }

  private static List<TrackedNode> nodes(CqlSession session) {
    List<TrackedNode> nodes = new ArrayList<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      TrackedNode tracked = policy(session).tracked(node);
      if (tracked != null) {
        nodes.add(tracked);
      }
    }
    return nodes;
  }

  private static int inFlight(CqlSession session) {
    return nodes(session).stream().mapToInt(TrackedNode::lastKnownInFlight).sum();
  }

  private static boolean allUp(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .allMatch(node -> node.getState() == NodeState.UP && policy(session).tracked(node) != null);
  }

  private void count(Throwable error) {
    if (error == null) {
      answered.incrementAndGet();
    } else if (error instanceof RequestThrottlingException) {
      refused.incrementAndGet();
    } else if (error instanceof DriverTimeoutException) {
      timedOut.incrementAndGet();
    } else if (error instanceof CancellationException) {
      cancelled.incrementAndGet();
    } else {
      failed.incrementAndGet();
    }
  }

  private int ended() {
    return answered.get() + refused.get() + timedOut.get() + cancelled.get() + failed.get();
  }
}
