/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.throttling.RequestThrottler;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.cql.CqlRequestHandler;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import edu.umd.cs.findbugs.annotations.NonNull;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a request, without a thread, until one of its replicas is within its limit of requests in
 * flight and, if one is set, its rate. Switched on in the driver's configuration, beside {@link
 * AdaptivePolicy} or {@link WeightedLeastLoadedPolicy}:
 *
 * <pre>
 * datastax-java-driver.advanced.throttler.class = io.curtail.driver.AdaptiveThrottler
 * </pre>
 *
 * <p>First come, first served; the request is planned anew when its turn comes. At most {@code
 * advanced.throttler.max-queue-size} wait; beyond that a request fails at once with {@code
 * RequestThrottlingException}. The driver's timeout runs while a request waits. Retries, second
 * copies and prepares do not wait, nor do requests whose node the application has set; pages are
 * requests of their own. Its options: {@link ThrottlerOption}.
 *
 * <p>Thread-safe. Requests that waited are sent by one thread, which is started when the first one
 * waits.
 */
public class AdaptiveThrottler implements RequestThrottler {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveThrottler.class);

  /**
   * How often the backlog looks for room that nobody told it of: when an answer comes to a request
   * that the client had given up on, and when a rate has a permit again.
   */
  private static final long LOOK_INTERVAL_NANOS = 1_000_000;

  private final String logPrefix;
  private final ThrottlerSettings settings;
  private final ThrottlerBacklog backlog;
  private volatile Thread sender;

  /**
   * Called by the driver.
   *
   * @throws IllegalArgumentException if an option is out of its range, or no profile has a policy
   *     of this package
   */
  public AdaptiveThrottler(@NonNull DriverContext context) {
    logPrefix = context.getSessionName();
    settings = new ThrottlerSettings(context.getConfig().getDefaultProfile());
    backlog = new ThrottlerBacklog(settings.maxQueueSize);
    Pace pace = new Pace(settings, backlog, System::nanoTime);
    boolean any = false;
    for (LoadBalancingPolicy policy :
        ((InternalDriverContext) context).getLoadBalancingPolicies().values()) {
      if (policy instanceof WeightedLeastLoadedPolicy) {
        ((WeightedLeastLoadedPolicy) policy).pace(pace);
        any = true;
      }
    }
    if (!any) {
      throw new IllegalArgumentException(
          DefaultDriverOption.REQUEST_THROTTLER_CLASS.getPath()
              + " is AdaptiveThrottler, which needs "
              + DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS.getPath()
              + " = "
              + AdaptivePolicy.class.getName()
              + " or "
              + WeightedLeastLoadedPolicy.class.getName()
              + ": set it, or take the throttler out");
    }
  }

  @Override
  public void register(@NonNull Throttled request) {
    if (backlog.isClosed()) {
      refuse(request, "The session is shutting down");
    } else if (request instanceof CqlRequestHandler) {
      try {
        new Admission(null).start(request, false);
      } catch (NoRoom e) {
        hold(e.waiting(request));
      }
    } else {
      request.onThrottleReady(false);
    }
  }

  private void hold(WaitingRequest waiting) {
    switch (backlog.add(waiting)) {
      case WAITS:
        try {
          wakeSender();
        } catch (Throwable e) { // as of a process that may have no more threads
          if (backlog.remove(waiting.throttled)) {
            refuse(waiting.throttled, "No thread could be started for requests that wait: " + e);
          }
        }
        break;
      case FULL:
        refuse(
            waiting.throttled,
            "Every replica of the request is at its limit ("
                + settings
                + "), and as many requests wait as may ("
                + DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE.getPath()
                + " = "
                + settings.maxQueueSize
                + ")");
        break;
      case CLOSED:
        refuse(waiting.throttled, "The session is shutting down");
        break;
    }
  }

  private static void refuse(Throttled request, String why) {
    request.onThrottleFailure(new RequestThrottlingException(why));
  }

  @Override
  public void signalSuccess(@NonNull Throttled request) {
    onEnd(request);
  }

  @Override
  public void signalError(@NonNull Throttled request, @NonNull Throwable error) {
    onEnd(request);
  }

  @Override
  public void signalTimeout(@NonNull Throttled request) {
    onEnd(request);
  }

  /** Called by the driver since 4.19. */
  @Override
  public void signalCancel(@NonNull Throttled request) {
    onEnd(request);
  }

  /** Returns whether the request waited, which it does no longer. */
  boolean onEnd(Throttled request) {
    if (backlog.size() == 0) {
      return false;
    }
    boolean waited = backlog.remove(request);
    if (!waited) {
      LockSupport.unpark(sender);
    }
    return waited;
  }

  private void wakeSender() {
    Thread running = sender;
    if (running == null) {
      running = startSender();
    }
    LockSupport.unpark(running);
  }

  private synchronized Thread startSender() {
    if (sender == null) {
      // One of the driver's kind: it refuses calls that block, which would hold up all that wait.
      Thread started = new BlockingOperation.SafeThreadFactory().newThread(this::sendWaiting);
      started.setName(logPrefix + "-curtail-backlog");
      started.setDaemon(true);
      started.start();
      sender = started;
    }
    return sender;
  }

  /*
   * One thread sends all that waited: so nothing is overtaken, no answer's thread does another
   * request's work, and the plan of a request is never made by the driver's timer, which would be
   * taken for the sender of its second copy.
   */
  private void sendWaiting() {
    while (!backlog.isClosed()) {
      // An application's callback may leave the flag set, and no thread parks while it is.
      Thread.interrupted();
      try {
        sendThoseWithRoom();
      } catch (Throwable e) {
        LOG.warn("[{}] Could not look through the backlog", logPrefix, e);
      }
      if (backlog.size() == 0) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, LOOK_INTERVAL_NANOS);
      }
    }
  }

  private void sendThoseWithRoom() {
    PriorityQueue<WaitingRequest> heads = backlog.heads();
    // Those that come meanwhile are left to the next round, or it might never end.
    long end = backlog.admitted();
    for (WaitingRequest head = heads.poll(); head != null; head = heads.poll()) {
      if (leaves(head)) {
        WaitingRequest next = backlog.headOfLine(head);
        if (next != null && next.order < end) {
          heads.add(next);
        }
      }
    }
  }

  /**
   * Whether the request waits no longer. One that cannot be planned must not hold up the others.
   */
  private boolean leaves(WaitingRequest waiting) {
    Throttled request = waiting.throttled;
    try {
      if (waiting.isOver()) {
        backlog.remove(request);
        return true;
      }
      Queue<Node> plan = waiting.tryPlan.get();
      if (plan != null && backlog.remove(request)) {
        send(request, plan);
      }
      return plan != null;
    } catch (Throwable e) {
      if (backlog.remove(request)) {
        fail(request, e);
      }
      return true;
    }
  }

  private void send(Throttled request, Queue<Node> plan) {
    try {
      new Admission(plan).start(request, true);
    } catch (Throwable e) {
      fail(request, e);
    }
  }

  private void fail(Throttled request, Throwable why) {
    LOG.debug("[{}] A request that waited could not be sent", logPrefix, why);
    RequestThrottlingException error =
        new RequestThrottlingException("The request waited, and could not be sent then: " + why);
    error.addSuppressed(why);
    request.onThrottleFailure(error);
  }

  /** What waits, and has waited. */
  ThrottlerBacklog backlog() {
    return backlog;
  }

  /** What waits fails with {@code RequestThrottlingException}. */
  @Override
  public void close() {
    for (Throttled request : backlog.close()) {
      if (backlog.remove(request)) {
        refuse(request, "The session is shutting down");
      }
    }
    LockSupport.unpark(sender);
  }
}
