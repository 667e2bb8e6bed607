/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One client's part of a run. Everything happens on the client's event loop: a request is sent at
 * its intended start, or as soon after as the thread is free, and its latency counts from the
 * intended start (Tene's remedy for coordinated omission).
 */
final class ClientRun {
  private final ZoneClient client;
  private final LoadSpec spec;
  private final EventLoop loop;
  private final SplittableRandom requestRandom;
  private final PoissonArrivals arrivals;
  private final ClientRecording recording;
  private final CompletableFuture<ClientRecording> done = new CompletableFuture<>();
  private final IdentityHashMap<Node, String> addresses = new IdentityHashMap<>();
  private final int slots;
  private final int joiningSlots;
  private final long countFromNanos;
  private final long endNanos;
  private long nextNanos;
  private int inFlight;
  private boolean ended;

  /**
   * @param startNanos the common beginning of all clients, on {@link System#nanoTime}'s clock
   * @param clients over which the spec's rate or outstanding requests are divided
   */
  ClientRun(ZoneClient client, LoadSpec spec, int index, int clients, long startNanos) {
    this.client = client;
    this.spec = spec;
    loop = client.loop().next();
    SplittableRandom random = random(spec, index);
    requestRandom = random.split();
    arrivals =
        spec.rateHz() > 0 ? new PoissonArrivals(spec.rateHz() / clients, random.split()) : null;
    slots = part(spec.outstanding(), index, clients);
    joiningSlots = spec.joiners() == null ? 0 : part(spec.joiners().generators(), index, clients);
    countFromNanos = startNanos + spec.warmUp().toNanos();
    endNanos = countFromNanos + spec.length().toNanos();
    recording = new ClientRecording(client.zone(), countFromNanos, spec.length());
    nextNanos = startNanos;
  }

  /** From which a client's requests are split, then its arrivals. */
  static SplittableRandom random(LoadSpec spec, int index) {
    return new SplittableRandom(spec.seed() * 1_000_003 + index);
  }

  private static int part(int whole, int index, int clients) {
    return whole / clients + (index < whole % clients ? 1 : 0);
  }

  CompletableFuture<ClientRecording> start() {
    at(nextNanos, this::begin);
    return done;
  }

  /** Runs it on the loop at that time; if it fails, so does the run. */
  private void at(long nanos, Runnable task) {
    Future<?> scheduled =
        loop.schedule(task, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    scheduled.addListener(
        ended -> {
          if (!ended.isSuccess()) {
            done.completeExceptionally(ended.cause());
          }
        });
  }

  private void begin() {
    client.clock().takeErrors();
    for (int second = 0; second < spec.length().toMillis() / 1e3; second++) {
      int begins = second;
      at(countFromNanos + second * 1_000_000_000L, () -> sampleCopies(begins));
    }
    if (arrivals == null) {
      startClosedLoop();
    } else {
      nextNanos += arrivals.nextGapNanos();
      scheduleNext();
    }
  }

  private void startClosedLoop() {
    join(slots, spec.mix());
    if (joiningSlots > 0) {
      at(
          countFromNanos + spec.joiners().after().toNanos(),
          () -> join(joiningSlots, spec.joiners().mix()));
    }
    at(endNanos, this::end);
  }

  private void join(int generators, Mix mix) {
    for (int i = 0; i < generators; i++) {
      send(System.nanoTime(), mix);
    }
  }

  private void scheduleNext() {
    if (nextNanos >= endNanos) {
      at(endNanos, this::end);
    } else {
      at(nextNanos, this::sendDue);
    }
  }

  private void sendDue() {
    long now = System.nanoTime();
    while (nextNanos <= now && nextNanos < endNanos) {
      recording.lateness(nextNanos, now - nextNanos);
      send(nextNanos, spec.mix());
      nextNanos += arrivals.nextGapNanos();
      now = System.nanoTime();
    }
    scheduleNext();
  }

  private void send(long intendedNanos, Mix mix) {
    inFlight++;
    Requests.Request request =
        client.requests().next(requestRandom, mix, spec.keys(), spec.consistency());
    client
        .requests()
        .send(request)
        .whenComplete(
            (result, error) -> {
              long finished = System.nanoTime();
              Answer answer = new Answer(intendedNanos, finished, request.isRead(), result, error);
              if (loop.inEventLoop()) {
                finish(answer, mix);
              } else {
                loop.execute(() -> finish(answer, mix));
              }
            });
  }

  private record Answer(
      long intendedNanos,
      long finishedNanos,
      boolean isRead,
      AsyncResultSet result,
      Throwable error) {

    /** Why it failed, null if it did not: every row that is read is there. */
    Throwable failure() {
      return error == null && isRead && result.one() == null ? new MissingRow() : error;
    }
  }

  private static final class MissingRow extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private void finish(Answer answer, Mix mix) {
    inFlight--;
    long intended = answer.intendedNanos();
    long latency = answer.finishedNanos() - intended;
    Throwable failure = answer.failure();
    if (failure == null) {
      ExecutionInfo execution = answer.result().getExecutionInfo();
      Node coordinator = execution.getCoordinator();
      String address = addresses.computeIfAbsent(coordinator, ClientRun::address);
      recording.success(intended, latency, answer.isRead(), address);
      recording.copies(
          intended,
          execution.getSpeculativeExecutionCount(),
          execution.getSuccessfulExecutionIndex() > 0);
    } else {
      long timeout = client.requests().timeout().toNanos();
      recording.failure(intended, latency, timeout, answer.isRead(), failure);
    }
    if (ended) {
      completeWhenIdle();
    } else if (arrivals == null) {
      send(answer.finishedNanos(), mix);
    }
  }

  private static String address(Node node) {
    return node.getEndPoint().resolve() instanceof InetSocketAddress socket
        ? socket.getAddress().getHostAddress()
        : node.getEndPoint().toString();
  }

  private void sampleCopies(int second) {
    recording.copies().sampled(second, client.copies());
  }

  private void end() {
    ended = true;
    sampleCopies((int) Math.ceil(spec.length().toMillis() / 1e3));
    completeWhenIdle();
  }

  private void completeWhenIdle() {
    if (inFlight == 0 && !done.isDone()) {
      recording.delayError(client.clock().takeErrors());
      done.complete(recording);
    }
  }
}
