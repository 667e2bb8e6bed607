/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.simulator.Campaign;
import io.curtail.simulator.CampaignReport;
import io.curtail.simulator.Experiment;
import io.curtail.simulator.Experiments;
import io.curtail.simulator.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final long SHOW_EVERY_NANOS = 2_000_000_000L;

  @Parameters(
      arity = "1..*",
      paramLabel = "EXPERIMENT",
      completionCandidates = ExperimentNames.class,
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

  private long shownAtNanos = System.nanoTime();

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
    Campaign campaign =
        new Campaign(experiments, policy.policies(), pairs.pairs(), output.out, more.histograms);
    Thread keep = new Thread(() -> keepWhatIsFinished(campaign, experiments), "keep results");
    Runtime.getRuntime().addShutdownHook(keep);
    campaign.run(this::show);
    Runtime.getRuntime().removeShutdownHook(keep);
    print(campaign, write(campaign, experiments));
    return campaign.failures().isEmpty() ? 0 : 1;
  }

  private Path write(Campaign campaign, List<Experiment> experiments) throws IOException {
    campaign.writeResults();
    Path page = output.out.resolve("report.html");
    CampaignReport report = new CampaignReport(campaign);
    report.write(page, experiments, output.commandLine());
    if (more.figures) {
      report.writeFigures(output.out.resolve("figures"));
    }
    return page;
  }

  private void keepWhatIsFinished(Campaign campaign, List<Experiment> experiments) {
    try {
      write(campaign, experiments);
      output.progress(
          "\ncurtail: interrupted; %d of %d runs are in %s"
              .formatted(
                  campaign.results().size(), campaign.size(), output.out.resolve("results.json")));
    } catch (IOException e) {
      output.progress("curtail: what was finished could not be written: " + e.getMessage());
    }
  }

  private void show(Campaign.Progress progress) {
    boolean last = progress.done() == progress.total();
    if (last || System.nanoTime() - shownAtNanos > SHOW_EVERY_NANOS) {
      shownAtNanos = System.nanoTime();
      output.progress(
          "%d of %d runs, %.0f s left"
              .formatted(progress.done(), progress.total(), progress.secondsLeft()));
    }
  }

  private void print(Campaign campaign, Path page) {
    output.print(
        campaign.results(),
        () ->
            "%s%nresults: %s   pictures: %s%n"
                .formatted(
                    Summary.table(campaign.results()).toText(),
                    output.out.resolve("results.json"),
                    page));
    campaign.failures().forEach(line -> output.progress("curtail: " + line));
  }
}
