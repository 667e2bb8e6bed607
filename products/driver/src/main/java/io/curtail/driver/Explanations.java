/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in words why a plan is as it is, also in the log for as many as a user asks for. */
final class Explanations {
  private static final Logger LOG = LoggerFactory.getLogger(Explanations.class);

  private final WeightedLeastLoadedPolicy policy;
  private final String logPrefix;
  private final AtomicInteger left = new AtomicInteger();

  Explanations(WeightedLeastLoadedPolicy policy, String logPrefix) {
    this.policy = policy;
    this.logPrefix = logPrefix;
  }

  /** Has that many more plans logged. */
  void logNext(int plans) {
    left.set(plans);
  }

  /** Called for each plan, before it is polled. */
  void logIfAsked(WeightedQueryPlan plan, Set<Node> replicas) {
    if (left.get() > 0 && left.getAndDecrement() > 0) {
      LOG.info("[{}] {}", logPrefix, explain(plan, replicas));
    }
  }

  /** One line for each scored node, in the plan's order, with what it was judged by. */
  String explain(WeightedQueryPlan plan, Set<Node> replicas) {
    StringBuilder text =
        new StringBuilder(replicas.isEmpty() ? "No replica is" : "Replicas are")
            .append(" known, ")
            .append(plan.size())
            .append(" nodes, of which these were scored, best first:");
    long now = policy.nanoTime();
    for (int i = plan.next(); i < plan.scoredCount(); i++) {
      TrackedNode node = plan.scored(i);
      text.append("\n  ")
          .append(1 + i)
          .append(replicas.contains(node.node) ? ": replica " : ": ")
          .append(new WeightedNodeState(node, now));
    }
    return text.toString();
  }
}
