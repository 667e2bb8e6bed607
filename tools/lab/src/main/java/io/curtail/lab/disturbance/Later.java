/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Begins when a run has gone well for so long, and lasts until its end. */
public record Later(Disturbance disturbance, Duration after) implements Disturbance {
  @Override
  public String label() {
    return disturbance.label();
  }

  @Override
  public double beginSeconds() {
    return after.toMillis() / 1e3;
  }

  @Override
  public Optional<Span> healthySpan() {
    return Optional.of(new Span(0, beginSeconds()));
  }

  @Override
  public List<Span> spans(Duration length) {
    return List.of(new Span(beginSeconds(), length.toMillis() / 1e3));
  }

  @Override
  public List<LabNode> nodes(Cluster cluster, LabNode first) {
    return disturbance.nodes(cluster, first);
  }

  @Override
  public boolean takesTurns() {
    return disturbance.takesTurns();
  }

  @Override
  public Map<String, Object> simulated(int nodes, Duration countFrom) {
    Map<String, Object> throughout = disturbance.simulated(nodes, countFrom);
    if (throughout == null) {
      return null;
    }
    Map<String, Object> later = new HashMap<>(throughout);
    later.put("faultAtMillis", countFrom.plus(after).toMillis());
    return later;
  }

  @Override
  public Fault begin(Cluster cluster, LabNode first) throws IOException {
    return disturbance.begin(cluster, first);
  }
}
