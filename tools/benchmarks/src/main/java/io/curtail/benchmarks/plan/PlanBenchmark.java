/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.specex.SpeculativeExecutionPolicy;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.loadbalancing.DefaultLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import io.curtail.benchmarks.ThreadCpu;
import io.curtail.driver.AdaptivePolicy;
import io.curtail.driver.AdaptiveSpeculativeExecution;
import io.curtail.driver.WeightedLeastLoadedPolicy;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One query plan and the first node from it; and what the policy does with one response. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlanBenchmark {
  static final String BASIC = "stock basic";
  static final String DEFAULT = "stock default";
  static final String WEIGHTED = "weighted-least-loaded";
  static final String ADAPTIVE = "adaptive";

  /** With second copies, none of which is needed. */
  static final String HEDGED = "adaptive-hedged";

  private static final int STATEMENTS = 1024;
  private static final long LATENCY_NANOS = 1_000_000;

  @Param({BASIC, DEFAULT, WEIGHTED, ADAPTIVE, HEDGED})
  String policy;

  @Param({"12", "48", "192", "384"})
  int nodes;

  @Param({"true", "false"})
  boolean token;

  private DriverRig rig;
  private LoadBalancingPolicy subject;
  private SpeculativeExecutionPolicy copies;
  private RequestTracker tracker;
  private SimpleStatement[] statements;
  private Node[] responders;
  private DriverExecutionProfile profile;

  /** Or to a policy that looks at it, all nodes would seem to hang; its plan includes that. */
  private boolean isAnswered;

  @Setup
  public void connect() throws ReflectiveOperationException, UnknownHostException {
    rig = new DriverRig(nodes, policyClass(), copiesClass());
    copies = rig.context.getSpeculativeExecutionPolicy(DriverExecutionProfile.DEFAULT_NAME);
    subject = rig.policy();
    tracker =
        subject
            .getRequestTracker()
            .orElse(
                new RequestTracker() {
                  @Override
                  public void close() {}
                });
    statements = rig.statements(STATEMENTS, token);
    responders = rig.nodes().toArray(new Node[0]);
    profile = rig.context.getConfig().getDefaultProfile();
    isAnswered = subject instanceof WeightedLeastLoadedPolicy;
  }

  @TearDown
  public void close() {
    rig.close();
  }

  private Class<? extends LoadBalancingPolicy> policyClass() {
    return switch (policy) {
      case BASIC -> BasicLoadBalancingPolicy.class;
      case DEFAULT -> DefaultLoadBalancingPolicy.class;
      case WEIGHTED -> WeightedLeastLoadedPolicy.class;
      case ADAPTIVE, HEDGED -> AdaptivePolicy.class;
      default -> throw new IllegalArgumentException(policy);
    };
  }

  private Class<? extends SpeculativeExecutionPolicy> copiesClass() {
    return policy.equals(HEDGED)
        ? AdaptiveSpeculativeExecution.class
        : NoSpeculativeExecutionPolicy.class;
  }

  /** Returns when a copy is to be sent. Curtail's policies are told of the answer, too. */
  @Benchmark
  public long plan(ThreadCpu cpu) {
    SimpleStatement statement = statements[cpu.next() & (STATEMENTS - 1)];
    Node node = subject.newQueryPlan(statement, rig.session).poll();
    long copyAt = copies.nextExecution(node, null, statement, 1);
    if (isAnswered) {
      tracker.onNodeSuccess(statement, LATENCY_NANOS, profile, node, "bench");
    }
    return copyAt;
  }

  @Benchmark
  public void response(ThreadCpu cpu) {
    int i = cpu.next();
    tracker.onNodeSuccess(
        statements[i & (STATEMENTS - 1)],
        LATENCY_NANOS,
        profile,
        responders[Integer.remainderUnsigned(i, responders.length)],
        "bench");
  }
}
