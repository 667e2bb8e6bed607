/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.campaign.Progress;
import io.curtail.engine.trials.crash.CrashTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One run: a cluster, a load, a plan, and at the end all that was answered compared with all that
 * can be read.
 */
public final class Chaos {
  private static final int REPLICAS = 3;

  /**
   * What a run did and found.
   *
   * @param engineNodes those with the engine
   * @param operations each that was done, with what became of it
   * @param answered writes
   * @param unanswered writes that ended with an error and were tried again
   * @param deleted rows at ALL, in the table that is purged
   * @param checks comparisons of a partition with what was answered
   * @param uncheckable comparisons that ended with an error
   * @param comparedAtEnd whether all was compared when nobody wrote any more; not if something was
   *     found before, or the run was stopped
   * @param rebuiltIndexes whether an index lacked entries, as one of Cassandra's may after a kill
   * @param violations what should not be
   * @param logs of the nodes
   */
  public record Result(
      long seed,
      int nodes,
      List<Integer> engineNodes,
      double seconds,
      List<Done> operations,
      long answered,
      long unanswered,
      long deleted,
      long checks,
      long uncheckable,
      boolean comparedAtEnd,
      boolean rebuiltIndexes,
      List<Violation> violations,
      List<String> logs) {
    /** For people. */
    public String summary() {
      String counts =
          String.format(
              Locale.ROOT,
              "%d operations, %,d writes answered (%,d tried again), %,d comparisons, %d violations",
              operations.size(),
              answered,
              unanswered,
              checks,
              violations.size());
      counts += comparedAtEnd ? "" : "; not compared at the end";
      if (violations.isEmpty()) {
        return counts;
      }
      StringBuilder text = new StringBuilder(counts);
      violations.forEach(violation -> text.append("\n  ").append(violation));
      text.append("\n  the last of what was done:");
      operations
          .subList(Math.max(0, operations.size() - 4), operations.size())
          .forEach(done -> text.append("\n    ").append(done));
      return text.append("\n  logs: ").append(String.join(" ", logs)).toString();
    }
  }

  /** A step, when it was begun, how long it took and what became of it. */
  public record Done(String step, String at, double seconds, String outcome) {}

  /**
   * What to run on.
   *
   * @param nodes 4 to 7
   * @param directory for them, absent
   * @param jars of the engine
   * @param parameters of the memtable
   * @param diskRefusal why no disk can be filled; null if one can
   */
  public record Setting(
      int nodes,
      Path directory,
      List<Path> jars,
      Map<String, String> parameters,
      String diskRefusal) {
    /** What can be done to such a cluster. */
    public Set<Kind> kinds() {
      Set<Kind> kinds = EnumSet.allOf(Kind.class);
      if (diskRefusal != null) {
        kinds.remove(Kind.FULL_DISK);
      }
      return kinds;
    }
  }

  private final Setting setting;
  private final Progress progress;
  private final List<Done> done = new CopyOnWriteArrayList<>();
  private volatile boolean comparedAtEnd;
  private volatile Supplier<Result> found = () -> null;

  public Chaos(Setting setting, Progress progress) {
    this.setting = setting;
    this.progress = progress;
  }

  /**
   * Runs. Once.
   *
   * @param operations how many at most
   * @param seconds no operation is begun later than so long after the first
   * @throws IllegalStateException if the nodes do not start
   */
  public Result run(long seed, int operations, long seconds)
      throws IOException, InterruptedException {
    Plan plan = new Plan(seed, setting.nodes(), setting.kinds());
    try (Nodes nodes = Nodes.start(setting, seed, progress);
        ChaosSession client = new ChaosSession(nodes.cluster())) {
      Violations violations = new Violations();
      Load load = new Load(client, violations, seed);
      PurgedTable purged = new PurgedTable(client, violations, nodes, seed);
      long start = System.nanoTime();
      FinalCheck check = new FinalCheck(nodes, client, load, purged, progress);
      Operations cluster = new Operations(nodes, client, load, purged);
      cluster.patiently(() -> create(client));
      found = () -> result(seed, start, nodes, load, purged, check);
      if (follow(plan, operations, seconds, cluster, load, purged)) {
        check.run();
        comparedAtEnd = true;
      }
      return soFar();
    }
  }

  /** What it has done and found; null before it has begun. Any thread, while it runs. */
  public Result soFar() {
    return found.get();
  }

  private Result result(
      long seed, long start, Nodes nodes, Load load, PurgedTable purged, FinalCheck check) {
    return new Result(
        seed,
        setting.nodes(),
        nodes.engineNodes(),
        (System.nanoTime() - start) / 1e9,
        List.copyOf(done),
        load.answered(),
        load.unanswered(),
        purged.deleted(),
        load.checks(),
        load.uncheckable(),
        comparedAtEnd,
        check.rebuiltIndexes(),
        load.violations().found(),
        nodes.logs());
  }

  /** Whether nothing was found so far. */
  private boolean follow(
      Plan plan, int operations, long seconds, Operations cluster, Load load, PurgedTable purged)
      throws IOException, InterruptedException {
    boolean isRight = true;
    try {
      load.start();
      purged.start();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (isRight && done.size() < operations && System.nanoTime() < end) {
        isRight = step(plan.next(), cluster, load) && load.violations().isEmpty();
      }
    } finally {
      load.stop();
      purged.stop();
    }
    return isRight;
  }

  private static void create(ChaosSession client) throws InterruptedException {
    for (String statement : CrashTables.creation(REPLICAS)) {
      client.change(statement);
    }
    client.change(Builds.CREATE_VIEW);
    client.change(PurgedTable.CREATE);
  }

  /** Whether it could be done, or was allowed to fail. */
  private boolean step(Step step, Operations cluster, Load load)
      throws IOException, InterruptedException {
    Thread.sleep(step.afterMillis());
    progress.report(step.toString());
    String at = Violations.now();
    long start = System.nanoTime();
    String outcome;
    boolean isRight = true;
    try {
      outcome = cluster.run(step);
    } catch (IllegalStateException | DriverException e) {
      outcome = e.getMessage();
      isRight = false;
      load.violations()
          .report(new Violation(at, "not a difference: " + outcome, outcome, List.of()));
    }
    done.add(
        new Done(
            step.toString(), at, Math.round((System.nanoTime() - start) / 1e8) / 10.0, outcome));
    progress.report(
        "   %s; %d writes answered, %d violations"
            .formatted(outcome, load.answered(), load.violations().found().size()));
    return isRight;
  }
}
