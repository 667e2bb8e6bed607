/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.simulate;

import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.SelectionPolicyOption;
import io.curtail.cli.output.CampaignRunner;
import io.curtail.cli.output.MoreFiles;
import io.curtail.cli.output.ReportOptions;
import io.curtail.simulator.Experiment;
import io.curtail.simulator.ExperimentSweep;
import io.curtail.simulator.Experiments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code curtail simulate run}. */
@Command(
    name = "run",
    description = {
      "Runs experiments and writes results.json and report.html.",
      "A file of parameters describes your own cluster: which policy suits it?"
    })
final class SimulateRun implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "EXPERIMENT",
      completionCandidates = Names.class,
      description = "A name from 'curtail simulate list', or a configuration file.")
  private List<String> names;

  @Mixin private SelectionPolicyOption policy;
  @Mixin private PairsOption pairs = new PairsOption(5);
  @Mixin private ReportOptions output = new ReportOptions("curtail-out/simulate");
  @Mixin private MoreFiles more;

  @Option(names = "--requests", description = "Reads in a run, warm-up included.")
  private Integer requests;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      showDefaultValue = Visibility.NEVER,
      description = "Sets a parameter in every cell, and thereby selects cells. May be repeated.")
  private Map<String, String> changes = Map.of();

  @Override
  public Integer call() throws IOException {
    Map<String, String> all = new LinkedHashMap<>(changes);
    if (requests != null) {
      all.put("requests", requests.toString());
    }
    List<Experiment> experiments = new ArrayList<>();
    for (String name : names) {
      experiments.add(Experiments.named(name).with(all));
    }
    CampaignRunner runner = new CampaignRunner(output, more);
    ExperimentSweep.Written written =
        new ExperimentSweep.Written(output.folder(), output.commandLine(), more.hasHistograms());
    return runner.run(
        new ExperimentSweep(experiments, policy.policies(), pairs.pairs(), written, runner));
  }

  /** What can be run, for the completion of command lines. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Experiments.all().stream().map(Experiment::name).iterator();
    }
  }
}
