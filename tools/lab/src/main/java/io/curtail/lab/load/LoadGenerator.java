/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs load over clients. Of runs of the same clients that overlap, latencies and errors are right;
 * errors of the delay of zones and copies are those of all.
 */
public final class LoadGenerator {
  private static final long START_DELAY_NANOS = 20_000_000;

  private LoadGenerator() {}

  /** A run under way. */
  public record Running(long countFromNanos, CompletableFuture<LoadResult> result) {
    /**
     * Waits for the end, at most the given seconds.
     *
     * @throws IllegalStateException if requests never end
     */
    public LoadResult await(long seconds) throws InterruptedException {
      try {
        return result.get(seconds, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        throw new IllegalStateException("the load did not end within " + seconds + " s", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException("the load failed: " + e.getCause(), e);
      }
    }
  }

  /** Starts the load on all clients at the same moment and returns at once. */
  public static Running start(List<ZoneClient> clients, LoadSpec spec) {
    return start(clients, spec, System.nanoTime() + START_DELAY_NANOS);
  }

  /** Starts the load at a time of {@link System#nanoTime}, and returns at once. */
  public static Running start(List<ZoneClient> clients, LoadSpec spec, long startNanos) {
    List<CompletableFuture<ClientRecording>> runs = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      runs.add(new ClientRun(clients.get(i), spec, i, clients.size(), startNanos).start());
    }
    CompletableFuture<LoadResult> result =
        CompletableFuture.allOf(runs.toArray(new CompletableFuture<?>[0]))
            .thenApply(
                ended -> new LoadResult(runs.stream().map(CompletableFuture::join).toList()));
    return new Running(startNanos + spec.warmUp().toNanos(), result);
  }

  /** Runs the load to its end. */
  public static LoadResult run(List<ZoneClient> clients, LoadSpec spec)
      throws InterruptedException {
    return start(clients, spec).await(spec.warmUp().plus(spec.length()).toSeconds() + 120);
  }
}
