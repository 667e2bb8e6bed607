/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.session.Request;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.delay.LeastDelay;
import io.curtail.selection.hedging.CopyChoice;
import io.curtail.selection.hedging.Hedging;
import io.curtail.selection.hedging.Hedging.Verdict;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The second copies of the requests of one policy: asks {@link Hedging} for each, and chooses the
 * node. Requests of profiles with another speculative execution policy are left to that.
 * Thread-safe.
 */
final class Hedges {
  /** The driver tells of an answer, and sends what it asked a node for, within this time. */
  private static final long TOLD_WITHIN_NANOS = 1_000_000_000;

  /** It asks when to copy a request as soon as that was written. */
  private static final long WRITTEN_WITHIN_NANOS = 10_000_000;

  final HedgingSettings settings;

  /** Of all nodes, those that went away too. */
  final CopyCounts copies = new CopyCounts();

  private final WeightedLeastLoadedPolicy policy;
  private final LeastDelay formula;
  private final Hedging hedging;
  private final CopiesInFlight inFlight = new CopiesInFlight();

  /** Whether the driver tells of the same statements as were sent. */
  private final boolean knowsRequests;

  /** By the names of profiles: whether their requests are copied. */
  private final Map<String, Boolean> profiles = new ConcurrentHashMap<>();

  /**
   * The node of the latest error that the driver told this thread, which may outlive the session.
   */
  @SuppressWarnings("ThreadLocalUsage") // each policy is told of each error, on the same thread
  private final ThreadLocal<Reference<Node>> failedHere = new ThreadLocal<>();

  /** The driver's, when it has asked for a copy. */
  private volatile Thread timer;

  Hedges(HedgingSettings settings, WeightedLeastLoadedPolicy policy, LeastDelay formula) {
    this.settings = settings;
    this.policy = policy;
    this.formula = formula;
    this.hedging = new Hedging(settings.share);
    this.knowsRequests = !RequestIds.areOn(policy.context());
  }

  /** Requests of the profile are copied. */
  void askedBy(String profileName) {
    profiles.put(profileName, true);
  }

  /** Whether requests of this one's profile are copied. */
  boolean serves(Request request) {
    String profile = Profiles.nameOf(request);
    Boolean known = profiles.get(profile);
    if (known == null) {
      known =
          policy.context().getSpeculativeExecutionPolicy(profile)
              instanceof AdaptiveSpeculativeExecution;
      profiles.put(profile, known);
    }
    return known;
  }

  /** Whether the driver may ask for a copy of the request. */
  boolean mayBeDue(Request request) {
    return Profiles.isIdempotent(request, policy.context());
  }

  /** The thread on which the driver asks for copies; null if it has asked for none. */
  @Nullable
  Thread timer() {
    return timer;
  }

  void timerIs(Thread thread) {
    if (timer != thread) {
      timer = thread;
    }
  }

  /** To be told of each new node. */
  void follow(TrackedNode node) {
    node.tail = hedging.newTail();
    node.hedges = this;
  }

  /**
   * After how long a request to the node is to be copied; 0 for never. One that probes the node,
   * though another is better, waits no longer than it would for that one: nobody shall notice it.
   */
  long delayNanos(Node node, Request request) {
    try {
      TrackedNode tracked = policy.isEnabled() ? policy.tracked(node) : null;
      DriverThreads.hearsOfNodes();
      return tracked == null ? 0 : delayNanos(expectedToAnswer(tracked, request));
    } catch (Throwable e) {
      policy.faults().onFault("find the delay of a copy", e);
      return 0;
    }
  }

  /** The node that was asked, or, if that was to probe it, the next in the plan. */
  private TrackedNode expectedToAnswer(TrackedNode asked, Request request) {
    HedgedQueryPlan probe = asked.probe;
    if (probe == null || !isOf(probe, request)) {
      return asked;
    }
    asked.probe = null;
    int next = probe.next();
    return next < probe.scoredCount() ? probe.scored(next) : asked;
  }

  /** If the request is not known: nothing else was sent to a node that is probed, for a while. */
  private boolean isOf(HedgedQueryPlan probe, Request request) {
    return knowsRequests
        ? probe.request() == request
        : probe.asksProbed() && probe.waitedNanos(policy.nanoTime()) <= WRITTEN_WITHIN_NANOS;
  }

  /** After how long the request of a plan is to be copied now; 0 for never. */
  long delayNanos(HedgedQueryPlan plan) {
    int next = plan.next();
    boolean isProbe = plan.asksProbed() && next < plan.scoredCount();
    return delayNanos(isProbe ? plan.scored(next) : plan.asked());
  }

  long delayNanos(TrackedNode node) {
    LocalNodes nodes = policy.localNodes();
    long delay = hedging.delayNanos(node.tail, nodes.size(), i -> nodes.get(i).tail);
    return delay == 0 ? 0 : Math.max(settings.leastDelayNanos, delay);
  }

  /** A node answered well. */
  void answered(Request request, TrackedNode node, long elapsedNanos, long now) {
    CopiedRequest copy = inFlight.take(request, node, now - elapsedNanos - TOLD_WITHIN_NANOS);
    hedging.answered(node.tail, elapsedNanos, copy != null, now);
    if (copy != null && !copy.isOver()) {
      boolean won = node == copy.target;
      long copyNanos = won ? elapsedNanos : now - copy.atNanos;
      hedging.ended(copy.target.tail, copy.usualNanos, won, copyNanos);
      if (won) {
        copy.silent.copies.won.increment();
        copies.won.increment();
        // The driver does not report answers that come after the first.
        copy.silent.delay.silent(now - copy.askedAtNanos);
      }
    }
  }

  /**
   * A node failed a request, or refused it. To be told of each error: the driver polls the plan
   * next, if at all, on the same thread.
   */
  void failed(Node node) {
    failedHere.set(new WeakReference<>(node));
  }

  /**
   * Whether a copy has failed or was refused, as the driver has just told this thread. Of one that
   * failed it is known now what it took.
   */
  boolean hasFailed(CopiedRequest copy) {
    Reference<Node> failed = failedHere.get();
    if (failed == null || failed.get() != copy.target.node) {
      return false;
    }
    if (copy.end()) {
      long tookNanos = policy.nanoTime() - copy.atNanos;
      hedging.ended(copy.target.tail, copy.usualNanos, true, tookNanos);
    }
    return true;
  }

  /**
   * Whether the node gave back the copy of a request, as it had no free thread; if so, it costs
   * nothing.
   */
  boolean refused(Request request, TrackedNode node, Throwable error) {
    boolean mayBe = error instanceof BootstrappingException && areMarked();
    CopiedRequest copy = mayBe ? inFlight.refusedBy(node, request) : null;
    if (copy == null) {
      return false;
    }
    hedging.refused(node.tail);
    copy.silent.copies.refusedByNode.increment();
    copies.refusedByNode.increment();
    return true;
  }

  /**
   * Whether a node that tells of its load, so takes part in the cluster, says that it does not: it
   * refused a copy, known here or not.
   */
  boolean isRefusal(TrackedNode node, Throwable error, long now) {
    return error instanceof BootstrappingException && areMarked() && node.reported(now) != null;
  }

  /** Whether nodes are told which requests are copies, and may refuse them. */
  boolean areMarked() {
    return knowsRequests && policy.hearsNodes();
  }

  /** A request ended without a good answer. */
  void ended(Request request) {
    inFlight.forget(request, policy.nanoTime());
  }

  /**
   * Whether the request of a plan, which waits for longer than its node's delay, is copied; if so,
   * the node that it goes to is the plan's next.
   *
   * @param again whether another node refused the copy before, or failed it
   */
  boolean mayCopy(HedgedQueryPlan plan, boolean again) {
    try {
      long now = policy.nanoTime();
      TrackedNode silent = plan.asked();
      if (policy.isLightweightTransaction(plan.request())) {
        return false;
      }
      Verdict verdict = hedging.verdict();
      if (verdict == Verdict.COPY) {
        verdict = copy(plan, silent, now, again);
      }
      if (!again) {
        silent.copies.count(verdict);
        copies.count(verdict);
      } else if (verdict == Verdict.COPY) {
        silent.copies.sent.increment();
        copies.sent.increment();
      }
      return verdict == Verdict.COPY;
    } catch (Throwable e) {
      policy.faults().onFault("copy a request", e);
      return false;
    }
  }

  private Verdict copy(HedgedQueryPlan plan, TrackedNode silent, long now, boolean again) {
    Set<Node> replicas = policy.replicasOf(plan.request());
    long waited = plan.waitedNanos(now);
    CopyChoice choice = new CopyChoice(hedging, waited, now);
    for (int i = plan.next(); i < plan.scoredCount(); i++) {
      TrackedNode candidate = plan.scored(i);
      if (candidate.cannotSend()) {
        continue; // the driver would pass it over, and the copy be paid for
      }
      int outstanding = candidate.lastKnownInFlight();
      boolean isReplica = replicas.isEmpty() || replicas.contains(candidate.node);
      choice.offer(
          i,
          candidate.tail,
          candidate.delay.overdueNanos(outstanding, candidate.tail.usualNanos(), now),
          candidate.health.isFailing(now),
          outstanding,
          formula.distance(!sharesRack(candidate, silent), isReplica));
    }
    Verdict verdict = choice.verdict(silent.tail);
    if (verdict != Verdict.COPY) {
      return verdict;
    }
    TrackedNode target = plan.moveUp(choice.best());
    if (!again && !plan.asksProbed()) {
      hedging.overdue(silent.tail);
    }
    long usual = hedging.sent(target.tail);
    CopiedRequest copied =
        new CopiedRequest(plan.request(), silent, target, usual, now - waited, now);
    plan.copied(copied);
    if (knowsRequests) {
      inFlight.add(copied);
    }
    return Verdict.COPY;
  }

  /** Racks count only if the user says in which one the client is. */
  private boolean sharesRack(TrackedNode candidate, TrackedNode silent) {
    return policy.localRack() != null
        && Objects.equals(candidate.node.getRack(), silent.node.getRack());
  }
}
