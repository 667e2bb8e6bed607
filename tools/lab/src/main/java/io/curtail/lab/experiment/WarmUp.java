/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.campaign.Progress;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.network.ZoneLatencies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

  private WarmUp() {}

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
    int sliceSeconds = Math.max(1, Math.min(seconds, LONGEST_SLICE_SECONDS));
    LoadSpec slice =
        load.closedLoop(OUTSTANDING)
            .withJoiners(null)
            .withWarmUp(Duration.ZERO)
            .withLength(Duration.ofSeconds(sliceSeconds));
    int slices = (seconds + sliceSeconds - 1) / sliceSeconds;
    for (Slice<Arm> next : slices(arms, Arm::testbed, mixes, slices)) {
      Arm arm = next.arm();
      testbeds.wake(arm.testbed());
      arm.testbed().cluster().network().use(ZoneLatencies.NONE);
      arm.activate();
      LoadGenerator.run(arm.clients(), slice.withMix(next.mix()));
    }
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
