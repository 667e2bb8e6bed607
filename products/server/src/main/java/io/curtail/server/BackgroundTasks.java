/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plug-in's one thread: ends reads that timed out, follows the cluster, its tables and the
 * settings file.
 */
final class BackgroundTasks {
  private static final Logger LOGGER = LoggerFactory.getLogger(BackgroundTasks.class);
  private static final long SWEEP_MILLIS = 100;
  private static final long FOLLOW_MILLIS = 1_000;

  /** A peer not heard for longer is forgotten, and unknown if it is used again. */
  private static final long FORGET_NANOS = 30_000_000_000L;

  private static final long FORGET_RANGE_READS_NANOS = 10_000_000_000L;

  private final LiveSettings live;
  private final Host host;
  private final SettingsFile file;
  private final LocalReads localReads;
  private final PassedReads passed;
  private final SecondCopies copies;
  private final Guard guard;
  private final Runnable checkSnitch;
  private final PeerMetrics metrics = new PeerMetrics();

  /**
   * @param checkSnitch finds out what the node does with the plug-in's snitch
   */
  BackgroundTasks(
      LiveSettings live,
      Host host,
      SettingsFile file,
      LocalReads localReads,
      PassedReads passed,
      SecondCopies copies,
      Guard guard,
      Runnable checkSnitch) {
    this.live = live;
    this.host = host;
    this.file = file;
    this.localReads = localReads;
    this.passed = passed;
    this.copies = copies;
    this.guard = guard;
    this.checkSnitch = checkSnitch;
  }

  void start() {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "curtail");
              made.setDaemon(true);
              return made;
            });
    every(thread, SWEEP_MILLIS, "ending reads that timed out", this::sweep);
    every(thread, FOLLOW_MILLIS, "following the cluster and the settings", this::follow);
  }

  // A task that throws would never run again.
  private void every(ScheduledExecutorService thread, long millis, String doing, Runnable task) {
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                guard.failed(doing, e);
              }
            },
            millis,
            millis,
            TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    long now = host.nanoTime();
    passed.sweep(now);
    for (Peer peer : live.policy().peers().all()) {
      peer.reads.sweep(host.readTimeoutNanos(), host.rangeTimeoutNanos(), now);
    }
  }

  private void follow() {
    checkSnitch.run();
    live.followCluster();
    readFileIfChanged();
    copies.rest();
    Peers peers = live.policy().peers();
    long now = host.nanoTime();
    for (Peer peer : peers.all()) {
      boolean stays = peer.self || host.isMember(peer.endpoint);
      peer.forgetRangeReads(FORGET_RANGE_READS_NANOS, now);
      boolean forgotten =
          !peer.self && peer.counts.answered.sum() > 0 && peer.isUnheardFor(FORGET_NANOS, now);
      if (!stays || (forgotten && peer.outstanding() == 0)) {
        peers.remove(peer.endpoint);
      }
    }
    metrics.follow(peers);
    if (live.mode().measures()) {
      localReads.follow(peers.of(host.self()), now);
    }
  }

  private void readFileIfChanged() {
    try {
      if (file.hasChanged()) {
        live.reload(file.read());
        LOGGER.info("Curtail took the changed settings of {}: mode {}", file, live.mode());
      }
    } catch (IOException | IllegalArgumentException e) {
      LOGGER.warn("Curtail keeps its settings; {} is not usable: {}", file, e.getMessage());
    }
  }
}
