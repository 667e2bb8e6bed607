/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.disturbance.RisingDelay;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.network.ZoneLatencies;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The circumstances under which arms are compared.
 *
 * @param scenario the scenario it belongs to
 * @param label what distinguishes it from the scenario's other conditions
 * @param diskTime what every read of any node's storage takes, disturbance or not; may be zero
 * @param disturbance what goes wrong, or null
 * @param blocks how often each arm is measured
 * @param fluctuation how long the nodes' storage takes, or null for as long as it takes by itself
 */
@RecordBuilder
public record Condition(
    String scenario,
    String label,
    LoadSpec load,
    ZoneLatencies latencies,
    Duration diskTime,
    Disturbance disturbance,
    int blocks,
    Fluctuation fluctuation)
    implements ConditionBuilder.With {

  /** On nodes that are near each other, whose storage is as it is, with nothing wrong. */
  public static Condition of(String scenario, String label, LoadSpec load, int blocks) {
    return new Condition(
        scenario, label, load, ZoneLatencies.NONE, Duration.ZERO, null, blocks, null);
  }

  public boolean isDisturbed() {
    return disturbance != null;
  }

  /** Whether each block has a run of the reference without the disturbance, to compare with. */
  boolean needsHealthyRun() {
    return isDisturbed() && disturbance.healthySpan().isEmpty();
  }

  /** What goes wrong, if it gets worse step by step. */
  public Optional<RisingDelay> rising() {
    return disturbance instanceof RisingDelay rising ? Optional.of(rising) : Optional.empty();
  }

  /** Whether something happens in the course of a run. */
  public boolean changes() {
    return isDisturbed() || load.joiners() != null;
  }

  /** Whether it is the same nodes throughout a run that are not well. */
  public boolean hasKnownSickNodes() {
    return isDisturbed() && !disturbance.takesTurns();
  }

  /** Whether nodes stand still in it. */
  public boolean pausesNodes() {
    return disturbance instanceof PausingNode;
  }

  /** Whether clients ask as fast as they are answered. */
  public boolean findsCeiling() {
    return load.rateHz() == 0;
  }

  public String title() {
    return scenario + ", " + label;
  }

  /** Seconds that one run takes, without switching between runs. */
  double runSeconds() {
    return (load.warmUp().toMillis() + load.length().toMillis()) / 1e3;
  }

  /** Whether both are closed loops that are alike but for the requests in flight. */
  public boolean differsOnlyInClients(Condition other) {
    return findsCeiling()
        && other.findsCeiling()
        && scenario.equals(other.scenario)
        && load.joiners() == null
        && other.load.joiners() == null
        && load.mix() == other.load.mix()
        && load.consistency().equals(other.load.consistency())
        && diskTime.equals(other.diskTime)
        && Objects.equals(fluctuation, other.fluctuation);
  }
}
