/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import edu.umd.cs.findbugs.annotations.NonNull;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.Feedback;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.weighted.ReplicaHealth;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the health of a node, and its delay if the policy ranks by that, of each response to a
 * request of any kind; the health alone of a {@link ClusterStatement}, and of a request of a
 * profile with another policy. Called on the driver's I/O threads; allocates nothing on success.
 * Thread-safe.
 *
 * <p>A request that the client gave up on is not reported for a node; it stays in flight, which
 * counts against the node until it answers.
 */
final class NodeResponses implements RequestTracker, FeedbackSource.Listener {
  /** A statement that waits for more than a node takes longer: such answers need no look at it. */
  private static final long QUICK_NANOS = 1_000_000;

  private final WeightedLeastLoadedPolicy policy;
  private final boolean measuresDelay;

  /** By the names of profiles: whether their requests are this policy's. */
  private final Map<String, Boolean> profiles = new ConcurrentHashMap<>();

  private volatile Session session;

  NodeResponses(WeightedLeastLoadedPolicy policy, boolean measuresDelay) {
    this.policy = policy;
    this.measuresDelay = measuresDelay;
  }

  @Override
  public void onSessionReady(@NonNull Session ready) {
    session = ready;
  }

  @Override
  public void onNodeSuccess(
      @NonNull Request request,
      long latencyNanos,
      @NonNull DriverExecutionProfile executionProfile,
      @NonNull Node node,
      @NonNull String nodeRequestLogPrefix) {
    try {
      TrackedNode tracked = policy.tracked(node);
      if (tracked != null) {
        ReplicaHealth health = tracked.health;
        if (health.hasFailed()) {
          health.succeeded(policy.nanoTime());
        } else {
          health.answered();
        }
        heard(tracked);
        if ((measuresDelay || tracked.rate != null) && isOfNode(request, latencyNanos)) {
          if (isOurs(executionProfile)) {
            answered(request, tracked, latencyNanos);
          } else {
            tracked.delay.heard();
          }
        }
      }
    } catch (Throwable e) {
      policy.faults().onFault("count a response", e);
    }
  }

  private void heard(TrackedNode tracked) {
    if (tracked.load != null) {
      tracked.heard(policy.nanoTime());
    }
  }

  /** Whether the time is the node's own. */
  private static boolean isOfNode(Request request, long latencyNanos) {
    return latencyNanos <= QUICK_NANOS || !ClusterStatement.includes(request);
  }

  /** Whether this policy plans the requests of the profile: each policy is told of all requests. */
  private boolean isOurs(DriverExecutionProfile profile) {
    String name = profile.getName();
    Boolean known = profiles.get(name);
    if (known == null) {
      known = policy.plans(name);
      profiles.put(name, known);
    }
    return known;
  }

  private void answered(Request request, TrackedNode tracked, long latencyNanos) {
    NodeRate rate = tracked.rate;
    if (rate != null) {
      rate.answered(latencyNanos);
    }
    if (measuresDelay) {
      tracked.delay.answered(latencyNanos);
      ReplicaLoad load = tracked.load;
      if (load != null) {
        // What is in flight is counted by the connections, which know of cancelled requests too.
        load.onSent();
        long now = policy.nanoTime();
        load.onResponse(latencyNanos, tracked.reported(now), now);
      }
      Hedges hedges = tracked.hedges;
      if (hedges != null) {
        hedges.answered(request, tracked, latencyNanos, policy.nanoTime());
      }
    }
  }

  /** Before the driver tells of the same answer, if it does at all. */
  @Override
  public void onAnswer(Node node, @Nullable Feedback feedback) {
    TrackedNode tracked = policy.tracked(node);
    if (tracked != null) {
      tracked.delay.heardUntold();
      if (feedback != null) {
        tracked.reported(feedback, policy.nanoTime());
      }
    }
  }

  @Override
  public void onNodeError(
      @NonNull Request request,
      @NonNull Throwable error,
      long latencyNanos,
      @NonNull DriverExecutionProfile executionProfile,
      @NonNull Node node,
      @NonNull String nodeRequestLogPrefix) {
    try {
      DriverThreads.hearsOfNodes();
      Hedges hedges = policy.hedges();
      if (hedges != null) {
        hedges.failed(node);
      }
      TrackedNode tracked = policy.tracked(node);
      if (tracked != null) {
        boolean copyRefused =
            hedges != null
                && (hedges.refused(request, tracked, error)
                    || hedges.isRefusal(tracked, error, policy.nanoTime()));
        Blame blame =
            copyRefused
                ? Blame.ANSWERED
                : Blame.of(error, level -> isReplicaDown(request, node, level));
        if (blame == Blame.NODE) {
          long now = policy.nanoTime();
          tracked.health.failed(now);
          if (isOurs(executionProfile)) {
            failed(request, tracked, latencyNanos, timeoutNanos(request, executionProfile), now);
          } else {
            tracked.delay.heard();
          }
        } else if (blame == Blame.ANSWERED) {
          tracked.health.answered();
          tracked.delay.heard();
          heard(tracked);
          NodeRate rate = tracked.rate;
          if (rate != null
              && !copyRefused
              && isOurs(executionProfile)
              && isOfNode(request, latencyNanos)) {
            rate.answered(latencyNanos);
          }
        }
      }
    } catch (Throwable e) {
      policy.faults().onFault("count an error", e);
    }
  }

  /** What the application waits at most; 0 if for ever. */
  private static long timeoutNanos(Request request, DriverExecutionProfile profile) {
    Duration own = request.getTimeout();
    return (own == null ? profile.getDuration(DefaultDriverOption.REQUEST_TIMEOUT) : own).toNanos();
  }

  private static void failed(
      Request request, TrackedNode tracked, long latencyNanos, long timeoutNanos, long now) {
    NodeRate rate = tracked.rate;
    if (rate != null) {
      rate.failed();
    }
    if (ClusterStatement.includes(request)) {
      return;
    }
    ReplicaLoad load = tracked.load;
    if (load != null) {
      load.onSent();
      load.onFailure(latencyNanos, timeoutNanos, now);
    }
    tracked.delay.failed(latencyNanos);
  }

  /** Whether this client cannot reach one of the replicas that a request asks for. */
  private boolean isReplicaDown(Request request, Node coordinator, ConsistencyLevel level) {
    for (Node replica : policy.replicasOf(request)) {
      NodeState state = replica.getState();
      boolean isDown = state == NodeState.DOWN || state == NodeState.FORCED_DOWN;
      if (isDown && (!level.isDcLocal() || isSameDatacenter(replica, coordinator))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSameDatacenter(Node one, Node other) {
    return Objects.equals(one.getDatacenter(), other.getDatacenter());
  }

  @Override
  public void onError(
      @NonNull Request request,
      @NonNull Throwable error,
      long latencyNanos,
      @NonNull DriverExecutionProfile executionProfile,
      @Nullable Node node,
      @NonNull String requestLogPrefix) {
    try {
      Hedges hedges = policy.hedges();
      if (hedges != null) {
        hedges.ended(request);
      }
    } catch (Throwable e) {
      policy.faults().onFault("forget a copy", e);
    }
  }

  /** Null before the session is ready. */
  @Nullable
  Session session() {
    return session;
  }

  /**
   * The driver closes its policies, but not if one could not be initialised; it closes its trackers
   * in any case.
   */
  @Override
  public void close() {
    policy.close();
  }
}
