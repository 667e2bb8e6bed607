/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.curtail.selection.passing.PassingRule;
import io.curtail.selection.passing.Route;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.RequestCallbacks.CallbackInfo;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.AlwaysSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.DigestResolver;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * Reads that may be passed on, as messages of Cassandra 5.0. Such a read travels in a custom
 * parameter of a message that no stage queues: the replica sees it before it would wait there, and
 * puts it into its read stage as the plain read that it stands for, or gives it back.
 *
 * <p>The callback waits at the coordinator, under the read's own id and the replica that has the
 * read: it is moved when the read is. So answers, failures, timeouts and their metrics are
 * Cassandra's own. A peer that cannot take it answers with a failure, and gets the plain read.
 * Thread-safe.
 */
final class Cassandra50Carrier {
  /** Says with an answer that the node takes carried reads, and of which version. */
  static final String TAKES = "cp";

  private static final String READ = "cr";
  private static final String RETURN = "cb";

  /** In a failure: it is of the read itself. */
  private static final String SERVED = "cs";

  /** Nobody handles it where the plug-in is not: the event loop calls its handler at once. */
  private static final Verb VERB = Verb._TEST_2;

  /** Headers must come in one frame. */
  private static final int MAX_BYTES = 16_384;

  /** More go through Cassandra's own back-pressure, as plain reads. */
  private static final int MAX_WAITING = 4_096;

  private static final byte[] TAKES_THIS_VERSION = {CarrierCodec.VERSION};

  private final PassedReads reads;
  private final ReadTraffic traffic;
  private final LiveSettings live;
  private final Host host;
  private final ThreadLocal<ReplicaSorter> sorters;
  private final Counts counts;
  private final Guard guard;

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  private final ThreadLocal<Long> serving = new ThreadLocal<>();

  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Boolean> resending = new ThreadLocal<>();

  Cassandra50Carrier(
      PassedReads reads,
      ReadTraffic traffic,
      LiveSettings live,
      Host host,
      ThreadLocal<ReplicaSorter> sorters,
      Counts counts,
      Guard guard) {
    this.reads = reads;
    this.traffic = traffic;
    this.live = live;
    this.host = host;
    this.sorters = sorters;
    this.counts = counts;
    this.guard = guard;
  }

  /** This request's reads are part of a transaction. */
  void onPaxos() {
    sorters.get().context().onPaxos();
  }

  private RequestContext context() {
    RequestContext context = sorters.get().context();
    return resending.get() == null && context.hasPassing() && context.isIn(host.request())
        ? context
        : null;
  }

  private static Object token(Message<?> message) {
    return message.payload instanceof SinglePartitionReadCommand
        ? ((SinglePartitionReadCommand) message.payload).partitionKey().getToken()
        : null;
  }

  /**
   * A read is about to be sent. Where the same request has another of its reads at that replica, it
   * is sent to another one.
   *
   * @return whether it was taken care of
   */
  boolean redirects(Message<?> message, InetAddressAndPort to) {
    RequestContext context = context();
    CarriedRead read = context == null ? null : context.carriedOf(token(message));
    if (read == null || read.id == message.id() || !read.mayBeAt(to)) {
      return false;
    }
    CallbackInfo waiting = MessagingService.instance().callbacks.remove(message.id(), to);
    if (waiting == null) {
      return false;
    }
    InetAddressAndPort instead = to;
    try {
      if (read.isOf(waiting.callback)) {
        instead = read.ask(to);
      }
    } finally {
      wait(waiting, message, instead == null ? to : instead);
    }
    if (to.equals(instead)) {
      return false;
    }
    counts.redirected.increment();
    if (instead != null) {
      resend(message, instead);
    }
    return true;
  }

  private static void wait(CallbackInfo waiting, Message<?> message, InetAddressAndPort of) {
    MessagingService.instance().callbacks.addWithExpiration(waiting.callback, message, of);
  }

  private void resend(Message<?> message, InetAddressAndPort to) {
    resending.set(true);
    try {
      MessagingService.instance().send(message, to);
    } finally {
      resending.remove();
    }
  }

  /** Returns whether the read that is about to be sent was sent so that it can be passed on. */
  boolean carries(Message<?> message, InetAddressAndPort to) {
    RequestContext context = context();
    Object token = context == null ? null : token(message);
    if (token == null || live.passing() != Passing.ON || !mayLeave((ReadCommand) message.payload)) {
      return false;
    }
    Peer peer = live.policy().peers().of(to);
    PassingPlan plan = context.takePlan(token, peer);
    if (plan == null || !peer.takesCarriedReads) {
      return false;
    }
    CallbackInfo waiting = MessagingService.instance().callbacks.remove(message.id(), to);
    if (waiting == null) {
      return false;
    }
    wait(waiting, message, to); // there is no way to look at it without taking it
    Route route = route(plan, waiting.callback, (ReadCommand) message.payload);
    if (route == null) {
      return false;
    }
    byte[] bytes = encode(message, route, 0, true, to);
    if (bytes.length > MAX_BYTES) {
      return false;
    }
    CarriedRead read =
        new CarriedRead(
            message.id(), token, route, message, waiting.callback, message.expiresAtNanos());
    context.onCarried(read);
    reads.onCarried(read);
    send(message, message.id(), to, READ, bytes);
    return true;
  }

  private static boolean mayLeave(ReadCommand command) {
    return !command.isDigestQuery()
        && !command.acceptsTransient()
        && command.indexQueryPlan() == null
        && !command.metadata().isCounter()
        && !command.metadata().isVirtual();
  }

  // Reads of the first round only: a repair asks whom it asks for a reason.
  private static Route route(PassingPlan plan, Object callback, ReadCommand command) {
    if (!(callback instanceof ReadCallback)
        || !(((ReadCallback<?, ?>) callback).resolver instanceof DigestResolver)) {
      return null;
    }
    boolean always =
        command.metadata().params.speculativeRetry.equals(AlwaysSpeculativeRetryPolicy.INSTANCE);
    return PassedReads.route(plan, ((ReadCallback<?, ?>) callback).blockFor() + (always ? 1 : 0));
  }

  private static byte[] encode(
      Message<?> message, Route route, int place, boolean mayLeave, InetAddressAndPort to) {
    int version = MessagingService.instance().versions.get(to);
    try (DataOutputBuffer out = new DataOutputBuffer(256)) {
      ReadCommand.serializer.serialize((ReadCommand) message.payload, out, version);
      return CarrierCodec.encode(
          new CarrierCodec.Arrival(route, place, mayLeave, version, out.toByteArray()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked") // the payload is exchanged with the verb
  private static void send(
      Message<?> like, long id, InetAddressAndPort to, String name, byte[] bytes) {
    Message<?> carrier =
        Message.builder((Message<Object>) like)
            .ofVerb(VERB)
            .withPayload(NoPayload.noPayload)
            .withId(id)
            .withParam(ParamType.CUSTOM_MAP, Collections.singletonMap(name, bytes))
            .build();
    MessagingService.instance().send(carrier, to);
  }

  private static byte[] parameter(Message<?> message, String name) {
    Map<String, byte[]> all = message.header.customParams();
    return all == null ? null : all.get(name);
  }

  /** Returns whether the message was one of a read that may be passed on, which is done with. */
  boolean receives(Message<?> message) {
    if (message.verb() != VERB) {
      return false;
    }
    byte[] read = parameter(message, READ);
    if (read != null) {
      arrive(message, read);
      return true;
    }
    byte[] back = parameter(message, RETURN);
    if (back != null) {
      try {
        returned(message, CarrierCodec.decodeReturn(back));
      } catch (Throwable e) {
        guard.failed("taking a read back", e);
      }
    }
    return back != null;
  }

  // ---- at a replica

  private void arrive(Message<?> message, byte[] bytes) {
    try {
      CarrierCodec.Arrival arrival = CarrierCodec.decode(bytes);
      Feedback stage = host.readStage(false, serviceNanos());
      if (stage.waiting() > MAX_WAITING) {
        throw new RefusedException();
      }
      Message<?> read = plain(message, arrival);
      int next = reads.admit(arrival.route, arrival.place, arrival.mayLeave, () -> enqueue(read));
      if (next != PassingRule.ACCEPT) {
        byte[] feedback = FeedbackCodec.encode(stage);
        byte[] back = CarrierCodec.encodeReturn(message.id(), next, arrival.route, feedback);
        // Not under the read's id: this node may have a callback of its own under that.
        send(
            Message.builder(message).from(host.self()).withFlags(0).build(),
            0,
            message.from(),
            RETURN,
            back);
      }
    } catch (Throwable e) {
      // The coordinator sends the plain read, which fails as it does on a stock node.
      if (!(e instanceof IOException) && !(e instanceof RefusedException)) {
        guard.failed("taking a read", e);
      }
      MessagingService.instance().inboundSink.fail(message.header, e);
    }
  }

  private long serviceNanos() {
    return Math.max(0, (long) live.policy().peers().of(host.self()).point.serviceTimeNanos());
  }

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException() {
      super("too many reads wait", null, false, false);
    }
  }

  @SuppressWarnings("unchecked") // the payload is exchanged with the verb
  private static Message<?> plain(Message<?> message, CarrierCodec.Arrival arrival)
      throws IOException {
    try (DataInputBuffer in = new DataInputBuffer(arrival.read)) {
      return Message.builder((Message<Object>) message)
          .ofVerb(Verb.READ_REQ)
          .withPayload(ReadCommand.serializer.deserialize(in, arrival.messagingVersion))
          .withoutParam(ParamType.CUSTOM_MAP)
          .build();
    }
  }

  private void enqueue(Message<?> read) {
    Stage.READ.execute(() -> serve(read));
  }

  // As Cassandra's own task for a message that waited.
  private void serve(Message<?> read) {
    long now = MonotonicClock.Global.approxTime.now();
    long waited = now - read.createdAtNanos();
    MessagingService messaging = MessagingService.instance();
    messaging.metrics.recordInternalLatency(Verb.READ_REQ, waited, TimeUnit.NANOSECONDS);
    if (MonotonicClock.Global.approxTime.isAfter(now, read.expiresAtNanos())) {
      counts.keptTooLong.increment();
      messaging.metrics.recordDroppedMessage(read, waited, TimeUnit.NANOSECONDS);
      return;
    }
    serving.set(read.id());
    try {
      messaging.inboundSink.accept(read);
    } finally {
      serving.remove();
    }
  }

  /** Returns whether the failure that is about to be sent was sent with what must be said of it. */
  boolean answersFailure(Message<?> message, InetAddressAndPort to) {
    Long id = serving.get();
    if (id == null || id != message.id()) {
      return false;
    }
    serving.remove(); // it comes by again
    MessagingService.instance().send(withParameter(message, SERVED, TAKES_THIS_VERSION), to);
    return true;
  }

  private static Message<?> withParameter(Message<?> message, String name, byte[] value) {
    Map<String, byte[]> all = new HashMap<>();
    if (message.header.customParams() != null) {
      all.putAll(message.header.customParams());
    }
    all.put(name, value);
    return message.withParam(ParamType.CUSTOM_MAP, all);
  }

  /** Says in the parameters of an answer that this node takes carried reads, if it does. */
  Map<String, byte[]> advertise(Map<String, byte[]> parameters) {
    if (live.passing() != Passing.ON) {
      return parameters;
    }
    Map<String, byte[]> all = new HashMap<>(parameters);
    all.put(TAKES, TAKES_THIS_VERSION);
    return all;
  }

  /** Returns whether an answer was for this node itself, and handed over. */
  boolean answersSelf(Message<?> answer, InetAddressAndPort to) {
    if (!to.equals(host.self()) || reads.at(to, answer.id()) == null) {
      return false;
    }
    MessagingService.instance().inboundSink.accept(answer);
    return true;
  }

  // ---- at the coordinator

  /** A replica answered a read. */
  void answered(Message<?> answer) {
    CarriedRead read = reads.at(answer.from(), answer.id());
    if (read != null) {
      reads.forget(read);
    }
    if (live.passing() == Passing.ON) {
      Peer peer = live.policy().peers().get(answer.from());
      if (peer != null) {
        byte[] takes = parameter(answer, TAKES);
        boolean now = takes != null && takes.length == 1 && takes[0] == CarrierCodec.VERSION;
        if (now != peer.takesCarriedReads) {
          peer.takesCarriedReads = now;
        }
      }
    }
  }

  /**
   * Returns whether the failure was of a peer that cannot take a carried read: it gets it plain.
   */
  boolean wasRefused(Message<?> failure) {
    CarriedRead read = reads.at(failure.from(), failure.id());
    if (read == null) {
      return false;
    }
    if (parameter(failure, SERVED) != null || !read.becomePlain()) {
      reads.forget(read);
      return false;
    }
    counts.carriedInVain.increment();
    Peer peer = live.policy().peers().of(failure.from());
    peer.takesCarriedReads = false;
    peer.reads.onReturned(read.id, null, host.nanoTime());
    resend((Message<?>) read.message, failure.from());
    return true;
  }

  private void returned(Message<?> message, CarrierCodec.Return back) {
    InetAddressAndPort from = message.from();
    CarriedRead read = reads.at(from, back.id);
    if (read == null) {
      counts.passedTooLate.increment();
      return;
    }
    Route route = read.route();
    int wanted = CarriedRead.NOWHERE;
    try {
      route = back.route(route);
      Feedback feedback = FeedbackCodec.decode(back.feedback());
      Peer peer = live.policy().peers().of(from);
      peer.counts.gaveBack.increment();
      peer.reads.onReturned(read.id, feedback, host.nanoTime());
      wanted = back.next;
    } catch (Throwable e) {
      guard.failed("learning from a read that came back", e);
    }
    moveOn(read, from, route, wanted);
  }

  private void moveOn(CarriedRead read, InetAddressAndPort from, Route route, int wanted) {
    Message<?> message = (Message<?>) read.message;
    InetAddressAndPort to;
    int place;
    boolean stays;
    synchronized (read) {
      CallbackInfo waiting = MessagingService.instance().callbacks.remove(read.id, from);
      if (waiting == null || !read.isAt(from)) {
        counts.passedTooLate.increment();
        reads.forget(read);
        return;
      }
      int before = read.place();
      place = before;
      try {
        int next = read.next(route, wanted);
        if (next != before && mayHaveIt((InetAddressAndPort) route.replica(next), message)) {
          place = next;
        }
      } catch (Throwable e) {
        guard.failed("choosing where a read goes on", e);
      }
      stays = place == before;
      to = (InetAddressAndPort) route.replica(place);
      read.moveTo(place);
      wait(waiting, message, to);
    }
    (stays ? counts.passedNowhere : counts.passedOn).increment();
    try {
      if (!stays) {
        live.policy().peers().of(to).counts.passedTo.increment();
      }
      send(read, route, place, to, !stays);
    } catch (Throwable e) {
      // Nobody has the read now, and its callback waits.
      guard.failed("sending a read on", e);
      resend(message, to);
    }
  }

  private boolean mayHaveIt(InetAddressAndPort replica, Message<?> message) {
    return (replica.equals(host.self()) || host.isAlive(replica))
        && host.isReplica(replica, message.payload);
  }

  private void send(
      CarriedRead read, Route route, int place, InetAddressAndPort to, boolean mayLeave) {
    Message<?> message = (Message<?>) read.message;
    if (to.equals(host.self())) {
      int next = reads.admit(route, place, mayLeave, () -> enqueue(message));
      if (next != PassingRule.ACCEPT) {
        moveOn(read, to, route, next);
      }
      return;
    }
    if (!live.policy().peers().of(to).takesCarriedReads) {
      resend(message, to);
      return;
    }
    traffic.onReadSent(to, read.id, ReadKind.POINT, message.payload);
    send(message, message.id(), to, READ, encode(message, route, place, mayLeave, to));
  }
}
