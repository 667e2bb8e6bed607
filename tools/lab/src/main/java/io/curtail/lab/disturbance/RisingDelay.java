/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.FaultThread;
import io.curtail.lab.fault.SlowCoordinator;
import io.curtail.lab.fault.SlowStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One node gets slower step by step: first nothing is wrong, then it has each of the delays for as
 * long. So each run tells what every delay costs, beside its own healthy step.
 *
 * @param delays that the node has, in the order of the steps
 * @param step how long each lasts
 */
public record RisingDelay(Part part, List<Duration> delays, Duration step) implements Disturbance {

  /** What of the node is slow. */
  public enum Part {
    /** All that it sends. */
    NETWORK("one node's network later and later") {
      @Override
      Fault start(Cluster cluster, LabNode node, Duration delay) throws IOException {
        return SlowCoordinator.start(cluster, node, delay);
      }
    },
    /** Each read of its storage. */
    DISK("one node's disk slower and slower") {
      @Override
      Fault start(Cluster cluster, LabNode node, Duration delay) throws IOException {
        return SlowStorage.start(node, delay);
      }
    };

    private final String label;

    Part(String label) {
      this.label = label;
    }

    abstract Fault start(Cluster cluster, LabNode node, Duration delay) throws IOException;
  }

  /** Of a step's seconds, those in which clients and nodes get used to it; they do not count. */
  private static final double SETTLING = 0.25;

  public RisingDelay {
    delays = List.copyOf(delays);
  }

  @Override
  public String label() {
    return part.label;
  }

  @Override
  public double beginSeconds() {
    return seconds(1);
  }

  @Override
  public Optional<Span> healthySpan() {
    return Optional.of(counted(0));
  }

  @Override
  public List<Span> spans(Duration length) {
    return List.of(new Span(beginSeconds(), seconds(delays.size() + 1)));
  }

  /** What counts of a step: 0 is the healthy one, n has the n-th delay. */
  public Span counted(int number) {
    double settling = Math.max(1, Math.floor(SETTLING * seconds(1)));
    return new Span(seconds(number) + settling, seconds(number + 1));
  }

  private double seconds(int steps) {
    return steps * step.toMillis() / 1e3;
  }

  /** Of a run with all steps. */
  public Duration length() {
    return step.multipliedBy(delays.size() + 1L);
  }

  @Override
  public Fault begin(Cluster cluster, LabNode node) {
    return FaultThread.start("rising-delay", own -> rise(own, cluster, node));
  }

  private void rise(FaultThread own, Cluster cluster, LabNode node)
      throws IOException, InterruptedException {
    for (Duration delay : delays) {
      Fault fault = part.start(cluster, node, delay);
      try (fault) {
        if (own.isClosedWithin(step)) {
          return;
        }
      }
    }
  }
}
