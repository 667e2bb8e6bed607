/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.Candidates;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import io.curtail.selection.PolicySettings;
import io.curtail.selection.RankingPolicy;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.weighted.StartingRamp;
import io.curtail.selection.weighted.Weights;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The simulator ranks by {@code selection}'s policies of these names, and this driver by planners
 * of its own around the same formulas: given the same answers, errors and random bits, both choose
 * the same.
 */
class SimulatedRankingTest {
  private static final int SCENARIOS = 100;
  private static final int REQUESTS = 200;
  private static final int MOST_REPLICAS = 5;
  private static final int MOST_IN_FLIGHT = 40;
  private static final long MILLISECOND = 1_000_000;

  /** Keys hold 15 bits of a score, and the adaptive planner 7 bits of a delay. */
  private static final double EXACT_TO = 1.05;

  @Test
  void should_order_replicas_as_the_simulated_policy_does_when_least_loaded_by_weight() {
    for (int seed = 0; seed < SCENARIOS; seed++) {
      Twins twins = new Twins(PolicyKind.WEIGHTED, "weighted-least-loaded", 1, seed);
      for (int i = 0; i < REQUESTS; i++) {
        twins.plan();
        assertThat(twins.scores).isEqualTo(twins.keysAsScores());
        twins.send(twins.chosenByRanking());
        twins.live();
      }
    }
  }

  @Test
  void should_order_replicas_as_the_simulated_policy_does_when_by_least_delay() {
    int plans = 0;
    int parted = 0;
    int probes = 0;
    for (int seed = 0; seed < SCENARIOS; seed++) {
      Twins twins = new Twins(PolicyKind.ADAPTIVE, "adaptive", 2, seed);
      boolean together = true;
      for (int i = 0; i < REQUESTS && together; i++) {
        twins.plan();
        plans++;
        for (int replica = 0; replica < twins.scores.length; replica++) {
          assertThat(twins.areAlike(replica)).as("replica %s of %s", replica, twins).isTrue();
        }
        int chosen = twins.chosenByRanking();
        probes += twins.scores[chosen] == 0 ? 1 : 0;
        together = twins.chosenByDriver() == chosen;
        parted += together ? 0 : 1;
        twins.send(chosen);
        twins.live();
      }
    }
    assertThat(parted).as("rounded the other way, of %s", plans).isLessThan(plans / 500);
    assertThat(probes).isPositive();
  }

  /** One client of the driver and one of the simulator, to which the same happens. */
  private static final class Twins {
    final SplittableRandom random;
    final int drawsEach;
    final Planner planner;
    final RankingPolicy ranking;
    final List<Loaded> nodes = new ArrayList<>();
    final List<ReplicaLoad> loads = new ArrayList<>();
    final Queue<Integer> bits = new ArrayDeque<>();
    final Candidates candidates = new Candidates(() -> bits.remove());
    long now = 1000 * MILLISECOND;
    TrackedNode[] order;
    int[] keys;
    double[] scores;

    /**
     * @param drawsEach how many random numbers the planner draws for each candidate; the ranking
     *     draws the first of them
     */
    Twins(PolicyKind kind, String policy, int drawsEach, int seed) {
      this.random = new SplittableRandom(seed);
      this.drawsEach = drawsEach;
      DriverExecutionProfile defaults =
          DriverConfigLoader.programmaticBuilder().build().getInitialConfig().getDefaultProfile();
      planner = kind.planner(defaults, new WeightedSettings(defaults), () -> now);
      NamedPolicy named = Policies.named(policy);
      ranking = named.newRanking(PolicySettings.builder().build());
      int replicas = 1 + random.nextInt(MOST_REPLICAS);
      for (int i = 0; i < replicas; i++) {
        boolean near = random.nextBoolean();
        Loaded node = new Loaded(Nodes.unconnected(i), near, StartingRamp.NONE);
        planner.follow(node);
        nodes.add(node);
        loads.add(new ReplicaLoad(named.loadSettings(), Weights.NETFLIX.distance(near, true)));
      }
    }

    void plan() {
      int seed = random.nextInt();
      int count = nodes.size();
      keys = nodes.stream().mapToInt(node -> node.inFlight).toArray();
      order = nodes.toArray(new TrackedNode[0]);
      planner.toKeys(order, keys, 0, count, seed);
      bits.clear();
      int draw = seed;
      for (int i = 0; i < count; i++) {
        draw = Planner.nextRandom(draw);
        bits.add(draw);
        for (int more = 1; more < drawsEach; more++) {
          draw = Planner.nextRandom(draw);
        }
      }
      if (drawsEach > 1) {
        bits.add(Planner.nextRandom(draw));
      }
      for (int i = 0; i < count; i++) {
        bits.add(random.nextInt()); // for ties
      }
      candidates.start(now);
      loads.forEach(candidates::add);
      ranking.rank(candidates);
      scores = new double[count];
      for (int place = 0; place < count; place++) {
        scores[loads.indexOf(candidates.get(place))] = candidates.score(place);
      }
    }

    int chosenByDriver() {
      return IntStream.range(0, keys.length)
          .boxed()
          .min(Comparator.comparingInt(i -> keys[i]))
          .orElseThrow();
    }

    int chosenByRanking() {
      return loads.indexOf(candidates.get(0));
    }

    /** The ranking's scores are keys too. */
    double[] keysAsScores() {
      return IntStream.of(keys).asDoubleStream().toArray();
    }

    /** One in the client's rack counts as near up to a slowness, on one side of which is each. */
    boolean areAlike(int replica) {
      double driver = Float.intBitsToFloat(keys[replica]);
      double simulated = scores[replica];
      double times = Math.max(driver, simulated) / Math.min(driver, simulated);
      double rack = Weights.NETFLIX.distance(false, true);
      return driver == simulated
          || times < EXACT_TO
          || (nodes.get(replica).inLocalRack && times > rack / EXACT_TO && times < rack * EXACT_TO);
    }

    @Override
    public String toString() {
      return IntStream.range(0, keys.length)
          .mapToObj(i -> Float.intBitsToFloat(keys[i]) + " " + scores[i])
          .collect(Collectors.joining(", "));
    }

    void send(int index) {
      Loaded node = nodes.get(index);
      node.delay.sent(now);
      node.inFlight++;
      loads.get(index).onSent();
    }

    /** Time passes, and some of what is in flight is answered. */
    void live() {
      now += random.nextInt(4) == 0 ? random.nextLong(500 * MILLISECOND) : random.nextInt(100_000);
      for (int i = 0; i < nodes.size(); i++) {
        Loaded node = nodes.get(i);
        while (node.inFlight > 0 && (node.inFlight > MOST_IN_FLIGHT || random.nextInt(3) > i % 3)) {
          end(node, loads.get(i));
        }
      }
    }

    private void end(Loaded node, ReplicaLoad load) {
      long elapsed = 1 + (long) (MILLISECOND * Math.pow(10, 3 * random.nextDouble() - 1));
      node.inFlight--;
      if (random.nextInt(20) == 0) {
        node.health.failed(now);
        node.delay.failed(elapsed);
        load.onFailure(elapsed, elapsed, now);
      } else {
        node.health.succeeded(now);
        node.delay.answered(elapsed);
        load.onResponse(elapsed, null, now);
      }
    }
  }
}
