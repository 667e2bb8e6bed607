/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.report.Json;
import io.curtail.simulator.Campaign;
import io.curtail.simulator.CampaignReport;
import io.curtail.simulator.Experiment;
import io.curtail.simulator.Experiments;
import io.curtail.simulator.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
      description = "A name from 'curtail simulate list', or a configuration file.")
  private List<String> names;

  @Option(
      names = "--policy",
      split = ",",
      description = "Policies, with commas between them; by default the experiment's own.")
  private List<String> policies = List.of();

  @Option(names = "--seeds", defaultValue = "5", description = "Runs of each (${DEFAULT-VALUE}).")
  private int seeds;

  @Option(names = "--requests", description = "Reads in a run, warm-up included.")
  private Integer requests;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets a parameter in every cell, and thereby selects cells. May be repeated.")
  private Map<String, String> changes = Map.of();

  @Option(
      names = "--out",
      defaultValue = "curtail-out/simulate",
      description = "Where results go (${DEFAULT-VALUE}).")
  private Path folder;

  @Option(names = "--figures", description = "Also writes each figure of the report as SVG.")
  private boolean figures;

  @Option(names = "--histograms", description = "Also writes an HdrHistogram log of each run.")
  private boolean histograms;

  @Option(names = "--json", description = "Prints the results as JSON, not as a table.")
  private boolean json;

  @Spec private CommandSpec spec;

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
    Campaign campaign = new Campaign(experiments, policies, seeds, folder, histograms);
    Thread keep = new Thread(() -> keepWhatIsFinished(campaign, experiments), "keep results");
    Runtime.getRuntime().addShutdownHook(keep);
    campaign.run(this::show);
    Runtime.getRuntime().removeShutdownHook(keep);
    print(campaign, write(campaign, experiments));
    return campaign.failures().isEmpty() ? 0 : 1;
  }

  private Path write(Campaign campaign, List<Experiment> experiments) throws IOException {
    campaign.writeResults();
    Path page = folder.resolve("report.html");
    CampaignReport report = new CampaignReport(campaign);
    report.write(page, experiments, command());
    if (figures) {
      report.writeFigures(folder.resolve("figures"));
    }
    return page;
  }

  private void keepWhatIsFinished(Campaign campaign, List<Experiment> experiments) {
    try {
      write(campaign, experiments);
      System.err.printf(
          "%ncurtail: interrupted; %d of %d runs are in %s%n",
          campaign.results().size(), campaign.size(), folder.resolve("results.json"));
    } catch (IOException e) {
      System.err.println("curtail: what was finished could not be written: " + e.getMessage());
    }
  }

  private void show(Campaign.Progress progress) {
    boolean last = progress.done() == progress.total();
    if (last || System.nanoTime() - shownAtNanos > SHOW_EVERY_NANOS) {
      shownAtNanos = System.nanoTime();
      PrintWriter err = spec.commandLine().getErr();
      err.printf(
          "%d of %d runs, %.0f s left%n",
          progress.done(), progress.total(), progress.secondsLeft());
      err.flush();
    }
  }

  private String command() {
    return "curtail " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }

  private void print(Campaign campaign, Path page) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.print(Json.of(campaign.results()));
    } else {
      out.println(Summary.table(campaign.results()).toText());
      out.println("results: " + folder.resolve("results.json") + "   pictures: " + page);
    }
    out.flush();
    campaign.failures().forEach(line -> spec.commandLine().getErr().println("curtail: " + line));
    spec.commandLine().getErr().flush();
  }
}
