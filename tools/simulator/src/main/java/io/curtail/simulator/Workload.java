/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.RandomSource;
import java.util.Arrays;

/** When reads arrive, at which client, and for which keys. */
final class Workload implements Actor {
  private static final int GENERATORS = 200;

  private final Simulation simulation;
  private final RandomSource arrivals;
  private final RandomSource keys;
  private final RandomSource sizes;
  private final double meanGapNanos;
  private final int[][] replicasOfGroup;
  private final double[] popularity;
  private int issued;

  Workload(Simulation simulation, long seed) {
    this.simulation = simulation;
    SimulatedScenario scenario = simulation.scenario;
    arrivals = RandomSource.stream(seed, 1);
    keys = RandomSource.stream(seed, 2);
    sizes = RandomSource.stream(seed, 3);
    meanGapNanos = 1e6 / (scenario.utilisation * scenario.capacityPerMilli());
    replicasOfGroup = new int[scenario.servers][scenario.replicationFactor];
    for (int group = 0; group < scenario.servers; group++) {
      for (int i = 0; i < scenario.replicationFactor; i++) {
        replicasOfGroup[group][i] = (group + i) % scenario.servers;
      }
    }
    popularity = scenario.zipf == 0 ? null : cumulativeZipf(scenario.servers, scenario.zipf);
  }

  private static double[] cumulativeZipf(int count, double exponent) {
    double[] cumulative = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      cumulative[i] = sum;
    }
    for (int i = 0; i < count; i++) {
      cumulative[i] /= sum;
    }
    return cumulative;
  }

  void start() {
    if (simulation.script != null) {
      simulation.loop.at(simulation.script.arrivalNanos(0), this, 0, null);
      return;
    }
    int generators = simulation.scenario.authorsArrivals ? GENERATORS : 1;
    for (int i = 0; i < generators; i++) {
      simulation.loop.after(gapNanos(), this, 0, null);
    }
  }

  private long gapNanos() {
    if (simulation.scenario.authorsArrivals) {
      return poisson(meanGapNanos * GENERATORS / 1e6) * 1_000_000L;
    }
    return Math.round(-Math.log(1 - arrivals.nextDouble()) * meanGapNanos);
  }

  // Knuth's method; the mean is a few milliseconds here.
  private int poisson(double mean) {
    double limit = Math.exp(-mean);
    double product = arrivals.nextDouble();
    int count = 0;
    while (product > limit) {
      product *= arrivals.nextDouble();
      count++;
    }
    return count;
  }

  @Override
  public void on(int event, Object subject) {
    if (issued >= simulation.scenario.requests) {
      return;
    }
    int drawn = simulation.scenario.coordinatorIsReplica ? 0 : client();
    int group = simulation.script == null ? group() : simulation.script.group(issued);
    int coordinator = simulation.script == null ? drawn : simulation.script.coordinator(issued);
    if (coordinator == ReplayScript.ANY_REPLICA || simulation.scenario.coordinatorIsReplica) {
      int place = (int) (keys.nextDouble() * simulation.scenario.replicationFactor);
      coordinator = replicasOfGroup[group][place];
    }
    Client client = simulation.clients[coordinator];
    Read read =
        new Read(
            issued++,
            client,
            group,
            simulation.scenario.sizes.readFactor(sizes),
            simulation.loop.nowNanos(),
            replicasOfGroup[group]);
    read.needed = simulation.scenario.neededAnswers;
    read.broadcast = keys.nextDouble() < simulation.scenario.broadcast;
    simulation.arrivalHash =
        (simulation.arrivalHash ^ (read.arrivedNanos + group)) * 0x9E3779B97F4A7C15L
            + client.number;
    client.read(read);
    if (issued < simulation.scenario.requests) {
      scheduleNext();
    }
  }

  private void scheduleNext() {
    if (simulation.script == null) {
      simulation.loop.after(gapNanos(), this, 0, null);
    } else {
      simulation.loop.at(simulation.script.arrivalNanos(issued), this, 0, null);
    }
  }

  private int client() {
    SimulatedScenario scenario = simulation.scenario;
    double draw = keys.nextDouble();
    if (scenario.heavyDemand == 0) {
      return (int) (draw * scenario.clients);
    }
    int heavy = Math.max(1, (int) Math.round(scenario.heavyClients * scenario.clients));
    if (heavy == scenario.clients) {
      return (int) (draw * scenario.clients);
    }
    if (draw < scenario.heavyDemand) {
      return (int) (draw / scenario.heavyDemand * heavy);
    }
    double rest = (draw - scenario.heavyDemand) / (1 - scenario.heavyDemand);
    return heavy + (int) (rest * (scenario.clients - heavy));
  }

  private int group() {
    double draw = keys.nextDouble();
    if (popularity == null) {
      return (int) (draw * replicasOfGroup.length);
    }
    int place = Arrays.binarySearch(popularity, draw);
    return Math.min(place < 0 ? -place - 1 : place, popularity.length - 1);
  }
}
