/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.weighted.StartingRamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Clients that ask again as soon as they are answered, of six nodes in three racks, each with a
 * policy and second copies of its own, in simulated time. Reads take random times of a mean, writes
 * a twentieth; of an answer that comes after another one of its request a client hears nothing, as
 * of the driver.
 */
final class HedgedLoop implements AutoCloseable {
  static final long MILLISECOND = 1_000_000;
  static final long SECOND = 1000 * MILLISECOND;

  private static final int NODES = 6;
  private static final int RACKS = 3;
  private static final double READ_NANOS = 20e6;
  private static final double WRITE_NANOS = 1e6;

  private static final class Event {
    final long atNanos;
    final long number;
    final Runnable action;

    Event(long atNanos, long number, Runnable action) {
      this.atNanos = atNanos;
      this.number = number;
      this.action = action;
    }
  }

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.<Event>comparingLong(event -> event.atNanos)
              .thenComparingLong(event -> event.number));

  /** The driver asks on another thread than the sender's when a copy is due. */
  private final ExecutorService timer = Executors.newSingleThreadExecutor();

  private final SplittableRandom random = new SplittableRandom(5);
  private final List<Client> clients = new ArrayList<>();
  private final double readShare;
  private final boolean copies;
  private long nowNanos = SECOND;
  private long eventCount;
  private long extraNanos;
  private long answered;
  private long pausedUntilNanos;
  private long stuck;

  HedgedLoop(int clientCount, int inFlight, double readShare, boolean copies) {
    this.readShare = readShare;
    this.copies = copies;
    for (int i = 0; i < clientCount; i++) {
      clients.add(new Client(i));
    }
    clients.forEach(
        client -> {
          for (int i = 0; i < inFlight; i++) {
            client.send();
          }
        });
  }

  /** From now on reads of the first node take so much longer. */
  void slowDown(long nanos) {
    extraNanos = nanos;
  }

  /** Now the first node stands still for so long, as a process that is stopped. */
  void pause(long nanos) {
    pausedUntilNanos = nowNanos + nanos;
  }

  /** Returns how many requests took more than a second. */
  long stuck() {
    return stuck;
  }

  /** Returns how many requests are answered in a second. */
  double run(long forNanos) {
    long end = nowNanos + forNanos;
    long before = answered;
    while (events.peek().atNanos <= end) {
      Event event = events.remove();
      nowNanos = event.atNanos;
      event.action.run();
    }
    nowNanos = end;
    return (answered - before) / (forNanos / 1e9);
  }

  long answered() {
    return answered;
  }

  /** Returns how many second copies were sent. */
  long copies() {
    return clients.stream().mapToLong(client -> client.hedges.copies.sent.sum()).sum();
  }

  private void at(long nanos, Runnable action) {
    events.add(new Event(nanos, eventCount++, action));
  }

  private double exponential(double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  @Override
  public void close() {
    timer.shutdown();
  }

  /** The driver's policy, with the time and the replicas of this simulation. */
  private final class Policy extends AdaptivePolicy {
    final IdentityHashMap<Request, Set<Node>> replicas = new IdentityHashMap<>();

    Policy() {
      super(
          new DefaultDriverContext(
              DriverConfigLoader.programmaticBuilder().build(),
              ProgrammaticArguments.builder().build()),
          "default");
    }

    @Override
    long nanoTime() {
      return nowNanos;
    }

    @Override
    Set<Node> replicasOf(Request request) {
      return replicas.getOrDefault(request, Set.of());
    }
  }

  private final class Client {
    final List<Loaded> nodes = new ArrayList<>();
    final Hedges hedges;
    private final Policy policy = new Policy();
    private final Planner planner;
    private final LocalNodes local;

    Client(int index) {
      DriverExecutionProfile defaults =
          DriverConfigLoader.programmaticBuilder().build().getInitialConfig().getDefaultProfile();
      planner =
          PolicyKind.ADAPTIVE.planner(defaults, new WeightedSettings(defaults), () -> nowNanos);
      hedges = copies ? planner.startHedging(new HedgingSettings(defaults), policy) : null;
      if (copies) {
        hedges.askedBy("default");
      }
      for (int i = 0; i < NODES; i++) {
        Loaded node =
            new Loaded(Nodes.unconnected(i), i % RACKS == index % RACKS, StartingRamp.NONE);
        if (copies) {
          hedges.follow(node);
        }
        nodes.add(node);
      }
      local = Nodes.local(nodes);
    }

    private void send() {
      SimpleStatement request =
          SimpleStatement.newInstance("SELECT v FROM t WHERE k = 1").setIdempotent(true);
      Set<Node> replicas = new LinkedHashSet<>();
      for (int rack = 0; rack < RACKS; rack++) {
        replicas.add(nodes.get(rack + RACKS * random.nextInt(NODES / RACKS)).node);
      }
      policy.replicas.put(request, replicas);
      Queue<Node> plan = planner.plan(local, replicas, Map.of(), request, false);
      new Asked(this, request, plan, random.nextDouble() < readShare).execute(plan.poll(), true);
    }
  }

  /** One request, to one node or two. */
  private final class Asked {
    final Client client;
    final SimpleStatement request;
    final Queue<Node> plan;
    final boolean isRead;
    final long askedAt = nowNanos;
    boolean done;

    Asked(Client client, SimpleStatement request, Queue<Node> plan, boolean isRead) {
      this.client = client;
      this.request = request;
      this.plan = plan;
      this.isRead = isRead;
    }

    void execute(@Nullable Node chosen, boolean mayCopy) {
      if (chosen == null) {
        return;
      }
      Loaded node = (Loaded) client.local.get(chosen);
      node.inFlight++;
      long sent = nowNanos;
      long takes = (long) exponential(isRead ? READ_NANOS : WRITE_NANOS);
      if (isRead && node == client.nodes.get(0)) {
        takes += extraNanos;
      }
      at(sent + takes, () -> answer(node, sent));
      long delay = mayCopy && copies ? client.hedges.delayNanos(node) : 0;
      if (delay > 0) {
        long millis = (delay + MILLISECOND - 1) / MILLISECOND;
        at(sent + millis * MILLISECOND, this::copyIfNotDone);
      }
    }

    private void copyIfNotDone() {
      if (!done) {
        try {
          execute(timer.submit(plan::poll).get(), false);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }

    private void answer(Loaded node, long sent) {
      if (node == client.nodes.get(0) && nowNanos < pausedUntilNanos) {
        at(pausedUntilNanos, () -> answer(node, sent));
        return;
      }
      node.inFlight--;
      if (done) {
        return;
      }
      done = true;
      stuck += nowNanos - askedAt > SECOND ? 1 : 0;
      answered++;
      node.delay.answered(nowNanos - sent);
      if (copies) {
        client.hedges.answered(request, node, nowNanos - sent, nowNanos);
      }
      client.policy.replicas.remove(request);
      client.send();
    }
  }
}
