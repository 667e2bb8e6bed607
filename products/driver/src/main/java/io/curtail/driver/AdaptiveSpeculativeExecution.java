/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.specex.SpeculativeExecutionPolicy;
import edu.umd.cs.findbugs.annotations.NonNull;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request that waits for longer than its node usually needs to a second node, so that one
 * slow or paused node does not decide how long the slowest requests take. Off unless it is switched
 * on in the driver's configuration, together with {@link AdaptivePolicy}:
 *
 * <pre>
 * datastax-java-driver {
 *   basic.load-balancing-policy.class = io.curtail.driver.AdaptivePolicy
 *   advanced.speculative-execution-policy.class = io.curtail.driver.AdaptiveSpeculativeExecution
 *   advanced.netty.timer.tick-duration = 1 millisecond
 * }
 * </pre>
 *
 * <p>The rules are those of {@link io.curtail.selection.hedging.Hedging}: when to copy, what it may
 * cost, and when not at all. The copy goes to the best node that was not asked yet, as they are
 * when it leaves; nodes in the rack of the silent one count as far away. A request gets one copy at
 * a time, a further one where a node refused or failed the one before; and only if it is
 * idempotent, no lightweight transaction, and does not change the schema. A request that probes a
 * node waits no longer than for the node that is better.
 *
 * <p>The driver's timer decides how exact the delay is: a copy leaves at the first tick after it.
 * All options: {@link HedgingOption}. Thread-safe.
 */
public final class AdaptiveSpeculativeExecution implements SpeculativeExecutionPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveSpeculativeExecution.class);

  private static final long NO_COPY = -1;
  private static final Duration COARSE_TICK = Duration.ofMillis(10);

  private final DriverContext context;
  private final HedgingSettings settings;
  private final Map<String, Hedges> hedgesOfProfile = new ConcurrentHashMap<>();

  /**
   * Called by the driver.
   *
   * @throws IllegalArgumentException if an option is out of its range, if the default profile is
   *     one of those with these options and has no {@link AdaptivePolicy}, if it is not and none of
   *     them has one, or if another profile has the same one with other options
   */
  public AdaptiveSpeculativeExecution(@NonNull DriverContext context, @NonNull String profileName) {
    this.context = context;
    DriverExecutionProfile profile = context.getConfig().getProfile(profileName);
    settings = new HedgingSettings(profile);
    hedgeAll(profile);
    Duration tick = profile.getDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION, COARSE_TICK);
    if (tick.compareTo(COARSE_TICK) > 0) {
      LOG.warn(
          "[{}|{}] Copies leave at ticks of the driver's timer only, each {} ms: set {} to 1 "
              + "millisecond (on Windows 10), or those for shorter delays are late",
          context.getSessionName(),
          profileName,
          tick.toMillis(),
          DefaultDriverOption.NETTY_TIMER_TICK_DURATION.getPath());
    }
  }

  private void hedge(String profileName, LoadBalancingPolicy policy) {
    if (!(policy instanceof AdaptivePolicy)) {
      throw new IllegalArgumentException(
          DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS.getPath()
              + " is AdaptiveSpeculativeExecution, which needs "
              + DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS.getPath()
              + " = "
              + AdaptivePolicy.class.getName()
              + " in profile "
              + profileName
              + ", not "
              + policy.getClass().getName()
              + ": set it, or take the speculative execution policy out");
    }
    hedgesOfProfile.put(profileName, ((AdaptivePolicy) policy).hedge(settings, profileName));
  }

  /**
   * The driver makes one of this class for all profiles with these options, and names any. Copies
   * of the default profile's requests are what the user asks for; without it those of any will do.
   */
  private void hedgeAll(DriverExecutionProfile named) {
    Set<String> names = profilesLike(named);
    boolean isDefault = names.contains(DriverExecutionProfile.DEFAULT_NAME);
    String mustCopy = isDefault ? DriverExecutionProfile.DEFAULT_NAME : named.getName();
    boolean mayMissOut = !isDefault && names.stream().anyMatch(this::canHedge);
    for (String name : names) {
      LoadBalancingPolicy policy = context.getLoadBalancingPolicy(name);
      if (canHedge(name) || (name.equals(mustCopy) && !mayMissOut)) {
        hedge(name, policy);
      } else {
        LOG.warn(
            "[{}|{}] Requests of this profile are not copied: its load balancing policy is {}, and"
                + " AdaptiveSpeculativeExecution needs AdaptivePolicy with {} = {}",
            context.getSessionName(),
            name,
            policy.getClass().getName(),
            AdaptiveOption.RANKING.getPath(),
            Rankings.ADAPTIVE);
      }
    }
  }

  private Set<String> profilesLike(DriverExecutionProfile named) {
    Object key = named.getComparisonKey(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY);
    Set<String> names = new TreeSet<>();
    context
        .getConfig()
        .getProfiles()
        .forEach(
            (name, profile) -> {
              if (key.equals(
                  profile.getComparisonKey(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY))) {
                names.add(name);
              }
            });
    return names;
  }

  private boolean canHedge(String profileName) {
    LoadBalancingPolicy policy = context.getLoadBalancingPolicy(profileName);
    return policy instanceof AdaptivePolicy && ((AdaptivePolicy) policy).canHedge();
  }

  @Override
  public long nextExecution(
      @NonNull Node node,
      @Nullable CqlIdentifier keyspace,
      @NonNull Request request,
      int runningExecutions) {
    if (runningExecutions > 1
        || !(request instanceof Statement)
        || ClusterStatement.includes(request)) {
      return NO_COPY;
    }
    Hedges hedges = hedgesOf(request);
    long delayNanos = hedges == null ? 0 : hedges.delayNanos(node, request);
    // Rounded up: a request is never copied before its delay is over.
    return delayNanos == 0 ? NO_COPY : TimeUnit.NANOSECONDS.toMillis(delayNanos + 999_999);
  }

  /** Null if the policy of the request's profile has no copies. */
  @Nullable
  private Hedges hedgesOf(Request request) {
    String profile = Profiles.nameOf(request);
    Hedges hedges = hedgesOfProfile.get(profile);
    if (hedges == null) {
      LoadBalancingPolicy policy = context.getLoadBalancingPolicy(profile);
      hedges = policy instanceof AdaptivePolicy ? ((AdaptivePolicy) policy).hedges() : null;
      if (hedges != null) {
        hedgesOfProfile.put(profile, hedges);
      }
    }
    return hedges;
  }

  @Override
  public void close() {}
}
