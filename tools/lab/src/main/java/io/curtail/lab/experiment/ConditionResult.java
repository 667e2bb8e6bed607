/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** All runs of a condition, the discarded ones included. Filled by one thread. */
public final class ConditionResult {
  private final Condition condition;
  private final List<String> arms;
  private final List<ArmRun> runs = new ArrayList<>();

  /** The first arm is the reference. */
  public ConditionResult(Condition condition, List<String> arms) {
    this.condition = condition;
    this.arms = List.copyOf(arms);
  }

  public void add(List<ArmRun> block) {
    runs.addAll(block);
  }

  public Condition condition() {
    return condition;
  }

  public List<String> arms() {
    return arms;
  }

  public String reference() {
    return arms.get(0);
  }

  public List<ArmRun> runs() {
    return runs;
  }

  /** Whether at least one block passed the rules. */
  public boolean isValid() {
    return !countedBlocks().isEmpty();
  }

  /** The blocks of which every run counts: only whole blocks are fair to all arms. */
  public Set<Integer> countedBlocks() {
    Set<Integer> blocks =
        runs.stream().map(ArmRun::block).collect(Collectors.toCollection(TreeSet::new));
    runs.stream().filter(run -> !run.counts()).map(ArmRun::block).forEach(blocks::remove);
    return blocks;
  }

  /** The blocks that the results are made of: the counted ones, or all if none counts. */
  public List<Integer> blocks() {
    Set<Integer> counted = countedBlocks();
    return counted.isEmpty()
        ? runs.stream().map(ArmRun::block).distinct().sorted().toList()
        : List.copyOf(counted);
  }

  /** Whether the costs of the arms' nodes were followed. */
  public boolean hasCosts() {
    return runs.stream().allMatch(run -> run.cost() != null);
  }

  /** How many nodes served the clients of an arm. */
  public int nodes() {
    return runs.stream().mapToInt(run -> run.reads().perSecond().size()).max().orElse(0);
  }

  public int discardedRuns() {
    return (int) runs.stream().filter(run -> !run.counts()).count();
  }

  public ArmRun run(String arm, int block) {
    return runs.stream()
        .filter(run -> run.block() == block && run.arm().equals(arm))
        .filter(run -> run.disturbed() == condition.isDisturbed())
        .findFirst()
        .orElseThrow();
  }

  /** The arm's runs in the blocks that the results are made of. */
  public List<ArmRun> runs(String arm) {
    return blocks().stream().map(block -> run(arm, block)).toList();
  }

  /** The arms that are compared with the reference. */
  public List<String> challengers() {
    return arms.subList(1, arms.size());
  }

  public Histogram pooled(String arm) {
    return pooled(arm, run -> run.result().all());
  }

  /** Of one kind of latencies. */
  public Histogram pooled(String arm, Function<ArmRun, Histogram> of) {
    return pool(runs(arm), of);
  }

  private static Histogram pool(List<ArmRun> runs, Function<ArmRun, Histogram> of) {
    Histogram pooled = new Histogram(3);
    runs.forEach(run -> pooled.add(of.apply(run)));
    return pooled;
  }

  /**
   * What 99.9 % of the reference's requests stayed below while all nodes were well, in
   * microseconds; 0 without a disturbance.
   */
  public long healthyP999Micros() {
    if (!condition.isDisturbed()) {
      return 0;
    }
    return condition
        .disturbance()
        .healthySpan()
        .map(
            span ->
                pool(
                    runs(reference()),
                    run -> run.result().within(span.fromSeconds(), span.toSeconds())))
        .orElseGet(() -> pool(healthyRuns(), run -> run.result().all()))
        .getValueAtPercentile(99.9);
  }

  private List<ArmRun> healthyRuns() {
    List<Integer> blocks = blocks();
    return runs.stream().filter(run -> !run.disturbed() && blocks.contains(run.block())).toList();
  }
}
