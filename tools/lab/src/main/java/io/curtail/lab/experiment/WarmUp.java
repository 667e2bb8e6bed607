/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.cluster.Progress;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.network.ZoneLatencies;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Loads the nodes through every arm until the just-in-time compilers have done their work and no
 * policy holds nodes for newly started any more.
 */
public final class WarmUp {
  private static final int SLICE_SECONDS = 4;
  private static final int OUTSTANDING = 24;

  private WarmUp() {}

  public static void run(
      Testbed testbed, List<Arm> arms, LoadSpec load, int seconds, Progress progress)
      throws IOException, InterruptedException {
    progress.report("warming up the nodes and the clients for " + seconds + " s");
    testbed.cluster().network().use(ZoneLatencies.NONE);
    LoadSpec slice =
        new LoadSpec(
            0,
            OUTSTANDING,
            Duration.ZERO,
            Duration.ofSeconds(SLICE_SECONDS),
            load.mix(),
            load.keys(),
            load.consistency(),
            load.valueBytes(),
            load.seed(),
            null);
    for (int done = 0; done < seconds; done += SLICE_SECONDS) {
      Arm arm = arms.get(done / SLICE_SECONDS % arms.size());
      arm.activate();
      LoadGenerator.run(arm.clients(), slice);
    }
  }
}
