/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.meter.CompilerTime;
import io.curtail.lab.network.ZoneLatencies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Loads the nodes through every arm until the just-in-time compilers have done their work and no
 * policy holds nodes for newly started any more.
 */
public final class WarmUp {
  private static final int LONGEST_SLICE_SECONDS = 4;
  private static final int OUTSTANDING = 24;

  /** Of a processor's time, from which on a node's compilers are taken to be done. */
  private static final double MOST_COMPILING = 0.05;

  /** Times what was asked for. */
  private static final int MOST_MORE = 3;

  private final Testbeds testbeds;
  private final LoadSpec slice;

  private WarmUp(Testbeds testbeds, LoadSpec load, int sliceSeconds) {
    this.testbeds = testbeds;
    slice =
        load.closedLoop(OUTSTANDING)
            .withJoiners(null)
            .withWarmUp(Duration.ZERO)
            .withLength(Duration.ofSeconds(sliceSeconds));
  }

  /** So many seconds for each cluster, in slices of one mix after the other. */
  public static void run(
      Testbeds testbeds,
      List<Arm> arms,
      LoadSpec load,
      List<Mix> mixes,
      int seconds,
      Progress progress)
      throws IOException, InterruptedException {
    progress.report("warming up the nodes and the clients for " + seconds + " s");
    int sliceSeconds = sliceSeconds(seconds);
    WarmUp warmUp = new WarmUp(testbeds, load, sliceSeconds);
    int slices = (seconds + sliceSeconds - 1) / sliceSeconds;
    for (Slice<Arm> next : slices(arms, Arm::testbed, mixes, slices)) {
      warmUp.load(next);
    }
  }

  private static int sliceSeconds(int seconds) {
    return Math.max(1, Math.min(seconds, LONGEST_SLICE_SECONDS));
  }

  /**
   * Goes on until the compilers of all nodes have little left to do, at most three times as long
   * again.
   *
   * @param arms each with nodes of its own
   * @param seconds that each had been loaded before
   */
  public static void untilCompiled(
      Testbeds testbeds,
      List<Arm> arms,
      LoadSpec load,
      List<Mix> mixes,
      int seconds,
      Progress progress)
      throws IOException, InterruptedException {
    int sliceSeconds = sliceSeconds(seconds);
    new WarmUp(testbeds, load, sliceSeconds)
        .untilCompiled(arms, mixes, MOST_MORE * seconds / sliceSeconds, progress);
  }

  private void load(Slice<Arm> next) throws IOException, InterruptedException {
    Arm arm = next.arm();
    testbeds.wake(arm.testbed());
    arm.testbed().cluster().network().use(ZoneLatencies.NONE);
    arm.activate();
    LoadGenerator.run(arm.clients(), slice.withMix(next.mix()));
  }

  /** At most so many slices more of each cluster, in whole rounds of the mixes. */
  private void untilCompiled(List<Arm> arms, List<Mix> mixes, int most, Progress progress)
      throws IOException, InterruptedException {
    rounds(
        (most + mixes.size() - 1) / mixes.size(),
        () -> {
          double share = compilingShare(arms, mixes);
          progress.report(
              String.format(
                  Locale.ROOT,
                  "compilers take at most %.0f %% of a processor of a node",
                  100 * share));
          return share;
        });
  }

  /** Loads the nodes; tells which part of a processor the compilers of a node took. */
  interface Round {
    double run() throws IOException, InterruptedException;
  }

  /** Rounds until compilers are done, at most so many; tells how many there were. */
  static int rounds(int most, Round round) throws IOException, InterruptedException {
    double share = 1;
    int done = 0;
    while (share > MOST_COMPILING && done < most) {
      share = round.run();
      done++;
    }
    return done;
  }

  /** Of the nodes of the cluster where it is largest, while each mix runs once. */
  private double compilingShare(List<Arm> arms, List<Mix> mixes)
      throws IOException, InterruptedException {
    Map<Testbed, Double> compiling = new LinkedHashMap<>();
    for (Slice<Arm> next : slices(arms, Arm::testbed, mixes, mixes.size())) {
      Testbed testbed = next.arm().testbed();
      double before = compilerNanos(testbed);
      load(next);
      compiling.merge(testbed, compilerNanos(testbed) - before, Double::sum);
    }
    double nanos = mixes.size() * slice.length().toNanos();
    return compiling.values().stream().mapToDouble(of -> of / nanos).max().orElse(0);
  }

  /** A node's, on average. */
  private static double compilerNanos(Testbed testbed) throws IOException {
    double sum = 0;
    List<LabNode> nodes = testbed.cluster().nodes();
    for (LabNode node : nodes) {
      sum += CompilerTime.nanos(node.pid());
    }
    return sum / nodes.size();
  }

  /** What is done for some seconds. */
  record Slice<A>(A arm, Mix mix) {}

  /** So many slices of each cluster, one cluster after the other; its arms take turns. */
  static <A> List<Slice<A>> slices(
      List<A> arms, Function<A, ?> cluster, List<Mix> mixes, int ofEach) {
    Map<Object, List<A>> byCluster =
        arms.stream()
            .collect(Collectors.groupingBy(cluster, LinkedHashMap::new, Collectors.toList()));
    List<Slice<A>> slices = new ArrayList<>();
    for (int done = 0; done < ofEach; done++) {
      for (List<A> own : byCluster.values()) {
        A arm = own.get(done % own.size());
        slices.add(new Slice<>(arm, mixes.get(done / own.size() % mixes.size())));
      }
    }
    return slices;
  }
}
