/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Follows how many reads each node's storage has served, whoever coordinated them: once a second it
 * asks stock Cassandra's own counter of the read stage, which the asking itself does not move. A
 * node that refuses to answer, or is dead for a while, misses seconds.
 */
public final class ReadMeter implements AutoCloseable {
  private static final String COMPLETED =
      "SELECT completed_tasks FROM system_views.thread_pools WHERE name = 'ReadStage'";

  /** Longer than any node stands still. */
  private static final long ANSWER_SECONDS = 30;

  private final CqlSession session;
  private final long countFromNanos;
  private final int seconds;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "read-meter"));
  private final List<CompletableFuture<Sample>> samples = new ArrayList<>();

  private record Sample(String node, double second, long completed) {}

  private ReadMeter(CqlSession session, long countFromNanos, int seconds) {
    this.session = session;
    this.countFromNanos = countFromNanos;
    this.seconds = seconds;
  }

  /** Follows so many seconds from that time of {@link System#nanoTime}. */
  public static ReadMeter start(CqlSession session, long countFromNanos, int seconds) {
    ReadMeter meter = new ReadMeter(session, countFromNanos, seconds);
    for (int second = 0; second <= seconds; second++) {
      long delay = countFromNanos + TimeUnit.SECONDS.toNanos(second) - System.nanoTime();
      for (Node node : session.getMetadata().getNodes().values()) {
        CompletableFuture<Sample> sample = new CompletableFuture<>();
        meter.samples.add(sample);
        ScheduledFuture<?> unused =
            meter.timer.schedule(() -> meter.ask(node, sample), delay, TimeUnit.NANOSECONDS);
      }
    }
    return meter;
  }

  private void ask(Node node, CompletableFuture<Sample> sample) {
    CompletionStage<?> unused =
        session
            .executeAsync(SimpleStatement.newInstance(COMPLETED).setNode(node))
            .whenComplete(
                (rows, error) -> {
                  if (error == null) {
                    double second = (System.nanoTime() - countFromNanos) / 1e9;
                    long completed = rows.one().getLong(0);
                    sample.complete(new Sample(address(node), second, completed));
                  } else {
                    sample.complete(null);
                  }
                });
  }

  private static String address(Node node) {
    return ((InetSocketAddress) node.getEndPoint().resolve()).getAddress().getHostAddress();
  }

  /**
   * What was served in each second. A node that answered late, because it stood still, is given
   * what lies between its answers; one that was started anew has counted from 0 since.
   *
   * @throws IllegalStateException if the session does not even say that a node does not answer
   */
  public ReadsServed await() throws InterruptedException {
    Map<String, List<Sample>> byNode = new TreeMap<>();
    try {
      CompletableFuture.allOf(samples.toArray(new CompletableFuture<?>[0]))
          .get(seconds + ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("a node does not say how much it reads: " + e, e);
    }
    for (CompletableFuture<Sample> answer : samples) {
      Sample sample = answer.join();
      if (sample != null) {
        byNode.computeIfAbsent(sample.node(), node -> new ArrayList<>()).add(sample);
      }
    }
    Map<String, double[]> served = new TreeMap<>();
    byNode.forEach((node, ofNode) -> served.put(node, perSecond(ofNode)));
    return new ReadsServed(served);
  }

  private double[] perSecond(List<Sample> ofNode) {
    double[] served = new double[seconds];
    for (int second = 0; second < seconds; second++) {
      served[second] = Math.max(0, completedAt(ofNode, second + 1) - completedAt(ofNode, second));
    }
    return served;
  }

  /** Linear between two answers. */
  private static double completedAt(List<Sample> ofNode, double second) {
    Sample before = ofNode.get(0);
    for (Sample sample : ofNode) {
      if (sample.second() >= second) {
        double span = sample.second() - before.second();
        double share = span <= 0 ? 1 : Math.max(0, (second - before.second()) / span);
        return before.completed() + share * (sample.completed() - before.completed());
      }
      before = sample;
    }
    return before.completed();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
