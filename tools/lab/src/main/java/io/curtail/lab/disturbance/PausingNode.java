/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.StopAndContinue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node that stops again and again, as in a long garbage collection; each cycle runs first. */
public record PausingNode(Duration pause, Duration run) implements Disturbance {
  @Override
  public String label() {
    return "one node paused";
  }

  @Override
  public double beginSeconds() {
    return run.toMillis() / 1e3;
  }

  @Override
  public List<Span> spans(Duration length) {
    List<Span> spans = new ArrayList<>();
    Duration cycle = run.plus(pause);
    for (Duration from = run; from.compareTo(length) < 0; from = from.plus(cycle)) {
      double end = Math.min(from.plus(pause).toMillis(), length.toMillis()) / 1e3;
      spans.add(new Span(from.toMillis() / 1e3, end));
    }
    return spans;
  }

  @Override
  public Fault begin(Cluster cluster, LabNode node) throws IOException {
    return StopAndContinue.start(node, pause, run);
  }
}
