/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.SimulatedArm;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.fault.RefusedRequests;
import io.curtail.lab.load.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Policies of the client on nodes whose storage takes random times, so long that the machine does
 * not decide; stock, or with {@code curtail-server} in one mode.
 *
 * @param service the mean, at real speed
 * @param threads of a node for reads
 * @param curtail beside the stock policies, unless the user chose
 */
public record RandomStorageArms(Duration service, int threads, List<Policy> curtail)
    implements ArmSet {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int WARM_UP_SECONDS = 40;

  /** Of an exponential time's 99th percentile, in means: ln 100, and a little for the way. */
  private static final int MEANS_TO_P99 = 5;

  public RandomStorageArms {
    curtail = List.copyOf(curtail);
  }

  @Override
  public String difference(ScenarioSettings settings) {
    return "The nodes "
        + PlugIn.describe(modeOfNodes(settings))
        + "; each of their reads takes an exponential time, in slow motion, the n-th of a row at a node the same in every arm of a block. Each zone has one session of"
        + " the stock Java driver; the arms differ in its load balancing policy and in its second"
        + " copies. Statements are marked idempotent in the arms with copies, as these need it, and"
        + " in no other: only there does the driver ask another node when one refuses."
        + (settings.modeOfNodes().isPresent()
            ? ""
            : " The simulated columns are the same reads and service times in the simulator, with the"
                + " code that ships, where it has the arm and the trouble, and all are reads at ONE;"
                + " a message takes half a millisecond there, and the node that is asked serves the"
                + " read.");
  }

  @Override
  public int warmUpSeconds() {
    return WARM_UP_SECONDS;
  }

  @Override
  public int count(ScenarioSettings settings) {
    return policies(settings).size();
  }

  /** What it averages and how often it asks are as slow as reads. */
  private static Optional<ServerMode> modeOfNodes(ScenarioSettings settings) {
    return settings.modeOfNodes().map(mode -> FluctuationArms.ofNode(mode, settings));
  }

  /** The driver's constant copies come after the 99th percentile of when all is well. */
  private List<Policy> policies(ScenarioSettings settings) {
    List<Policy> all = new ArrayList<>();
    all.add(Policy.STOCK_DEFAULT);
    all.add(
        Policy.stockSpeculative(service.multipliedBy((long) MEANS_TO_P99 * settings.slowMotion())));
    all.addAll(curtail);
    return settings.policiesOr(all);
  }

  @Override
  public List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException {
    ClusterSpecBuilder spec =
        FluctuationArms.withPlannedStorage(ClusterSpec.builder().nodes(nodes))
            .requestTimeout(TIMEOUT)
            .addYaml("concurrent_reads", threads)
            .addYaml("native_transport_max_threads", SimulatedArm.COORDINATOR_THREADS)
            .addYaml(RefusedRequests.THROW, true);
    PlugIn.add(spec, modeOfNodes(settings));
    return PolicyArms.of(testbeds.start(spec), policies(settings), settings);
  }
}
