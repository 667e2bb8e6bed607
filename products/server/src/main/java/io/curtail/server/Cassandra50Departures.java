/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.passing.Route;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallbacks.CallbackInfo;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.reads.AlwaysSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.DigestResolver;
import org.apache.cassandra.service.reads.NeverSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * Reads that leave this coordinator: which of them are carried, stay here, or must not go where
 * Cassandra sends them. Thread-safe.
 */
final class Cassandra50Departures {
  private final Cassandra50Carrier carrier;
  private final PassedReads reads;
  private final SecondCopies copies;
  private final LiveSettings live;
  private final Host host;
  private final ThreadLocal<ReplicaSorter> sorters;
  private final Counts counts;

  Cassandra50Departures(
      Cassandra50Carrier carrier,
      PassedReads reads,
      SecondCopies copies,
      LiveSettings live,
      Host host,
      ThreadLocal<ReplicaSorter> sorters,
      Counts counts) {
    this.carrier = carrier;
    this.reads = reads;
    this.copies = copies;
    this.live = live;
    this.host = host;
    this.sorters = sorters;
    this.counts = counts;
  }

  /** This request's reads are part of a transaction. */
  void onPaxos() {
    sorters.get().context().onPaxos(host.request());
  }

  private RequestContext context() {
    RequestContext context = sorters.get().context();
    return !carrier.isResending() && context.hasPassing() && context.isIn(host.request())
        ? context
        : null;
  }

  private static Object token(Message<?> message) {
    return message.payload instanceof SinglePartitionReadCommand
        ? ((SinglePartitionReadCommand) message.payload).partitionKey().getToken()
        : null;
  }

  /**
   * A read is about to be sent to a replica. Where the same request has another of its reads there,
   * it is sent to another one; where that has second copies of its own, it is not sent.
   *
   * @return whether it was taken care of
   */
  boolean redirects(Message<?> message, InetAddressAndPort to) {
    RequestContext context = context();
    CarriedRead read = context == null ? null : context.carriedOf(token(message));
    if (read == null || !read.mayBeAt(to)) {
      return false;
    }
    if (read.id == message.id()) {
      read.askedAtOnce(to);
      return false;
    }
    CallbackInfo waiting = Cassandra50Carrier.take(message.id(), to);
    if (waiting == null) {
      return false;
    }
    InetAddressAndPort instead = to;
    try {
      if (read.isOf(waiting.callback)) {
        instead = read.askAgain(message, to, carrier::takesCopies);
      }
    } finally {
      if (instead != null) {
        Cassandra50Carrier.wait(waiting.callback, message, instead);
      }
    }
    if (instead == null) {
      counts.retriesHeldBack.increment();
      if (read.hasOwnCopies()) {
        copies.hasten(read, carrier);
      }
      return true;
    }
    if (to.equals(instead)) {
      return false;
    }
    counts.redirected.increment();
    carrier.resend(message, instead);
    return true;
  }

  /** Returns whether the read that is about to be sent is served by this node instead. */
  boolean keepsHere(Message<?> message, InetAddressAndPort to) {
    RequestContext context = context();
    Object token = context == null ? null : token(message);
    PassingPlan plan =
        token == null || live.passing() != Passing.ON ? null : context.ownPlan(token);
    if (plan == null || !isWhole((ReadCommand) message.payload)) {
      return false;
    }
    context.drop(plan);
    // Where the first in order has not built an index, Cassandra asks another one.
    boolean kept =
        plan.order[0] == live.policy().peers().of(to)
            && Cassandra50Host.hasIndexes(host.self(), (ReadCommand) message.payload)
            && keeps(context, plan, message, to);
    reads.onOwnSent(kept);
    return kept;
  }

  private boolean keeps(
      RequestContext context, PassingPlan plan, Message<?> message, InetAddressAndPort to) {
    CallbackInfo waiting = Cassandra50Carrier.take(message.id(), to);
    if (waiting == null) {
      return false;
    }
    Route route = null;
    try {
      route = route(plan, waiting.callback, (ReadCommand) message.payload);
      if (route != null && route.placeOf(host.self()) == CarriedRead.NOWHERE) {
        route = null; // it is behind as many as a route has
      }
    } finally {
      Cassandra50Carrier.wait(waiting.callback, message, route == null ? to : host.self());
    }
    if (route == null) {
      return false;
    }
    CarriedRead read = read(plan, route, route.placeOf(host.self()), message, waiting);
    CarriedTerms terms = CarriedTerms.STAYS;
    try {
      if (mayLeave((ReadCommand) message.payload)) {
        if (reads.mayGoOn(plan)) {
          terms = CarriedTerms.MAY_LEAVE;
        }
        leaves(context, read, plan.journey, waiting);
      } else {
        context.onCarried(read);
        reads.onStaying(read);
      }
      carrier.send(read, route, read.place(), host.self(), terms);
    } catch (Throwable e) {
      read.abandonTo(to);
      reads.forget(read);
      Cassandra50Carrier.take(message.id(), host.self());
      Cassandra50Carrier.wait(waiting.callback, message, to);
      throw e;
    }
    return true;
  }

  /** Returns whether the read that is about to be sent was sent so that it can be passed on. */
  boolean carries(Message<?> message, InetAddressAndPort to) {
    RequestContext context = context();
    PassingPlan plan = context == null ? null : plan(context, message, to);
    if (plan == null || !mayLeave((ReadCommand) message.payload)) {
      return false;
    }
    context.drop(plan);
    if (!plan.order[0].takesCarriedReads) {
      counts.sentPlain.increment();
      return false;
    }
    CallbackInfo waiting = Cassandra50Carrier.take(message.id(), to);
    if (waiting == null) {
      return false;
    }
    Cassandra50Carrier.wait(
        waiting.callback, message, to); // there is no way to look at it without taking it
    Route route = route(plan, waiting.callback, (ReadCommand) message.payload);
    if (route == null) {
      return false;
    }
    byte[] bytes = Cassandra50Carrier.encode(message, route, 0, CarriedTerms.MAY_LEAVE, to);
    if (bytes.length > Cassandra50Carrier.MAX_BYTES) {
      return false;
    }
    CarriedRead read = read(plan, route, 0, message, waiting);
    try {
      leaves(context, read, plan.journey, waiting);
      Cassandra50CarriedMessages.send(
          message, message.id(), to, Cassandra50CarriedMessages.READ, bytes);
    } catch (Throwable e) {
      read.abandonTo(to);
      reads.forget(read);
      throw e;
    }
    return true;
  }

  private PassingPlan plan(RequestContext context, Message<?> message, InetAddressAndPort to) {
    Object token = token(message);
    return token != null && live.passing() == Passing.ON
        ? context.plan(token, live.policy().peers().of(to))
        : null;
  }

  // Not every replica of a plan can answer by the index that a read asks for.
  private boolean mayLeave(ReadCommand command) {
    TableMetadata table = command.metadata();
    return isWhole(command)
        && command.indexQueryPlan() == null
        && !live.settings().passingExcept.contains(table.keyspace, table.name)
        && !table.isCounter()
        && !table.isVirtual();
  }

  private static boolean isWhole(ReadCommand command) {
    return !command.isDigestQuery() && !command.acceptsTransient();
  }

  // Reads of the first round only: a repair asks whom it asks for a reason.
  private Route route(PassingPlan plan, Object callback, ReadCommand command) {
    if (!(callback instanceof ReadCallback)
        || !(((ReadCallback<?, ?>) callback).resolver instanceof DigestResolver)) {
      return null;
    }
    int always = isRetried(command, AlwaysSpeculativeRetryPolicy.INSTANCE) ? 1 : 0;
    int asked = ((ReadCallback<?, ?>) callback).blockFor() + always;
    if (asked > 1 && command.indexQueryPlan() != null) {
      return null; // whom it asks is not the first in order: those that have built the index
    }
    return areAlive(plan) ? PassedReads.route(plan, asked, host.nanoTime()) : null;
  }

  // Cassandra leaves out who died since they were put in order, and asks one more behind them: this
  // node itself, perhaps, of which no message tells. It would not take an answer of theirs either.
  private boolean areAlive(PassingPlan plan) {
    for (Peer peer : plan.order) {
      if (!peer.self && !host.isAlive(peer.endpoint)) {
        return false;
      }
    }
    return true;
  }

  // As Cassandra's executor of the read: a prepared statement has the table as it was. The schema's
  // own look-up, which knows of tables that never leave a node too, takes ten times as long.
  static boolean isRetried(ReadCommand command, Object when) {
    TableMetadata now =
        Schema.instance.distributedKeyspaces().getTableOrViewNullable(command.metadata().id);
    TableMetadata table = now == null ? command.metadata() : now;
    return table.params.speculativeRetry.equals(when);
  }

  private static CarriedRead read(
      PassingPlan plan, Route route, int at, Message<?> message, CallbackInfo waiting) {
    CarriedRead read =
        new CarriedRead(
            message.id(),
            plan.token,
            route,
            at,
            message,
            waiting.callback,
            message.expiresAtNanos());
    if (plan.ownExpectedNanos >= 0) {
      read.leaves(plan.ownExpectedNanos);
    }
    return read;
  }

  private void leaves(
      RequestContext context, CarriedRead read, Journey journey, CallbackInfo waiting) {
    context.onCarried(read);
    reads.onCarried(read);
    read.follow(journey);
    ReadCommand command = (ReadCommand) ((Message<?>) read.message).payload;
    if (copies.areOn()
        && !isRetried(command, NeverSpeculativeRetryPolicy.INSTANCE)
        && !isRetried(command, AlwaysSpeculativeRetryPolicy.INSTANCE)
        && !host.mayAskEachDataCenter(
            command, ((ReadCallback<?, ?>) waiting.callback).blockFor())) {
      read.copyItself();
      copies.follow(read, command.metadata().id, carrier);
    }
  }
}
