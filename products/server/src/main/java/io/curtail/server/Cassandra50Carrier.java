/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.curtail.selection.passing.PassingRule;
import io.curtail.selection.passing.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.RequestCallbacks.CallbackInfo;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * Reads that may be passed on, at their coordinator, as messages of Cassandra 5.0 ({@link
 * Cassandra50CarriedMessages}).
 *
 * <p>The callback waits here, under the read's own id and the replica that has the read: it is
 * moved when the read is. So answers, failures, timeouts and their metrics are Cassandra's own. A
 * peer that cannot take it answers with a failure, and gets the plain read. A second copy has the
 * same id at another replica, and a callback that leads to the same. Thread-safe.
 */
final class Cassandra50Carrier implements SecondCopies.Sender {
  /** Headers must come in one frame; a longer one would break the connection. */
  static final int MAX_BYTES = 16_384;

  private final PassedReads reads;
  private final SecondCopies copies;
  private final Cassandra50CarriedArrivals arrivals;
  private final ReadTraffic traffic;
  private final LiveSettings live;
  private final Host host;
  private final Counts counts;
  private final Guard guard;

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  private final ThreadLocal<Boolean> resending = new ThreadLocal<>();

  Cassandra50Carrier(
      PassedReads reads,
      SecondCopies copies,
      Cassandra50CarriedArrivals arrivals,
      ReadTraffic traffic,
      LiveSettings live,
      Host host,
      Counts counts,
      Guard guard) {
    this.reads = reads;
    this.copies = copies;
    this.arrivals = arrivals;
    this.traffic = traffic;
    this.live = live;
    this.host = host;
    this.counts = counts;
    this.guard = guard;
  }

  private static Message<?> message(CarriedRead read) {
    return (Message<?>) read.message;
  }

  static CallbackInfo take(long id, InetAddressAndPort of) {
    return MessagingService.instance().callbacks.remove(id, of);
  }

  static void wait(RequestCallback<?> callback, Message<?> message, InetAddressAndPort of) {
    MessagingService.instance().callbacks.addWithExpiration(callback, message, of);
  }

  /** Whether this thread sends a plain read that has left before. */
  boolean isResending() {
    return resending.get() != null;
  }

  void resend(Message<?> message, InetAddressAndPort to) {
    resending.set(true);
    try {
      MessagingService.instance().send(message, to);
    } finally {
      resending.remove();
    }
  }

  static byte[] encode(
      Message<?> message, Route route, int place, CarriedTerms terms, InetAddressAndPort to) {
    int version = MessagingService.instance().versions.get(to);
    byte[] command = Cassandra50CarriedMessages.command(message, version);
    return CarrierCodec.encode(new CarrierCodec.Arrival(route, place, terms, version, command));
  }

  // ---- second copies

  private List<InetAddressAndPort> ranked(List<InetAddressAndPort> open) {
    List<InetAddressAndPort> able = new ArrayList<>();
    for (InetAddressAndPort replica : open) {
      if (takesCopies(replica)) {
        able.add(replica);
      }
    }
    return reads.ranked(able);
  }

  /** Whether the replica may be sent a second copy. */
  boolean takesCopies(InetAddressAndPort replica) {
    return replica.equals(host.self())
        || (host.isAlive(replica) && live.policy().peers().of(replica).takesCarriedReads);
  }

  @Override
  public void giveUp(CarriedRead read) {
    read.endCopies();
    release(read);
  }

  // A copy waits nowhere: where no other replica has a free thread only Cassandra's is answered.
  @Override
  public void rescue(CarriedRead read) {
    read.takeForLost();
    release(read);
  }

  @Override
  public void sendCopy(CarriedRead read) {
    RequestCallback<?> callback = (RequestCallback<?>) read.callback();
    if (callback == null || isComplete(callback) || host.nanoTime() - read.expiresAtNanos >= 0) {
      read.endCopies();
      return;
    }
    InetAddressAndPort to = read.copyTo(this::ranked);
    if (to == null) {
      counts.copiesNowhere.increment();
      return;
    }
    boolean sent = false;
    try {
      if (host.isReplica(to, message(read).payload)) {
        wait(
            new Cassandra50CopyCallback<>(callback, from -> copyFailed(read, from)),
            message(read),
            to);
        Route route = read.route();
        send(read, route, route.placeOf(to), to, CarriedTerms.AT_ONCE);
        sent = true;
      }
    } finally {
      if (!sent) {
        endCopy(read, to);
      }
    }
  }

  // Its message was dropped on the way, or nobody answered it in time.
  private void copyFailed(CarriedRead read, InetAddressAndPort at) {
    try {
      if (read.hasCopyAt(at)) {
        endCopy(read, at);
        if (host.nanoTime() - read.expiresAtNanos < 0) {
          live.policy().peers().of(at).reads.onReturned(read.id, null, host.nanoTime());
        }
      }
    } catch (Throwable e) {
      guard.failed("ending a second copy", e);
    }
  }

  // In this order: until the copy has ended the read itself cannot come to the replica.
  private void endCopy(CarriedRead read, InetAddressAndPort at) {
    take(read.id, at);
    read.copyCameBack(at);
    if (read.isOver()) {
      reads.forget(read);
    }
    release(read);
  }

  // Cassandra counts on its own second copy, which may stand for any of a quorum's reads.
  private void release(CarriedRead read) {
    RequestCallback<?> callback = (RequestCallback<?>) read.callback();
    if (!read.hasHeldBack() || callback == null || isComplete(callback)) {
      return;
    }
    InetAddressAndPort to = read.release();
    if (to != null) {
      counts.retriesReleased.increment();
      wait(callback, (Message<?>) read.released(), to);
      resend((Message<?>) read.released(), to);
    }
  }

  private static boolean isComplete(RequestCallback<?> callback) {
    return callback instanceof ReadCallback
        && ((ReadCallback<?, ?>) callback).await(0, TimeUnit.NANOSECONDS);
  }

  // ---- a message comes

  /** Returns whether the message was one of a read that may be passed on, which is done with. */
  boolean receives(Message<?> message) {
    if (message.verb() != Cassandra50CarriedMessages.VERB) {
      return false;
    }
    byte[] read = Cassandra50CarriedMessages.parameter(message, Cassandra50CarriedMessages.READ);
    if (read != null) {
      arrivals.arrive(message, read);
      return true;
    }
    byte[] back = Cassandra50CarriedMessages.parameter(message, Cassandra50CarriedMessages.RETURN);
    if (back != null) {
      try {
        returned(message, CarrierCodec.decodeReturn(back));
      } catch (Throwable e) {
        guard.failed("taking a read back", e);
      }
      Cassandra50CarriedMessages.endTrace(message);
    }
    return back != null;
  }

  /** Returns whether an answer was for this node itself, and handed over. */
  boolean answersSelf(Message<?> answer, InetAddressAndPort to) {
    if (!to.equals(host.self()) || reads.at(to, answer.id()) == null) {
      return false;
    }
    MessagingService.instance().inboundSink.accept(answer);
    return true;
  }

  /**
   * A replica answered a read.
   *
   * @param feedback its report; null if it made none
   */
  void answered(Message<?> answer, byte[] feedback) {
    InetAddressAndPort from = answer.from();
    CarriedRead read = reads.at(from, answer.id());
    Feedback report = read != null && read.hasOwnCopies() ? reads.report(from, feedback) : null;
    if (read != null && Cassandra50Messages.isRefusal(answer) && read.hasCopyAt(from)) {
      copyRefused(read, from, report);
    } else if (read != null) {
      long extra = read.answered(from, work(report));
      add(read.takePassingGainNanos(), counts.passedGainMicros);
      add(read.takeCopyGainNanos(), counts.copiesGainMicros);
      copies.answered(read, report, extra);
      if (read.isOver()) {
        reads.forget(read);
      }
      if (extra >= 0) {
        dropIfLate(read, from);
      }
      if (read.hasHeldBack()) {
        copies.soon(() -> release(read)); // when Cassandra has counted the answer
      }
    }
    if (live.passing() == Passing.ON) {
      Peer peer = live.policy().peers().get(from);
      if (peer != null) {
        byte[] takes =
            Cassandra50CarriedMessages.parameter(answer, Cassandra50CarriedMessages.TAKES);
        boolean now = takes != null && takes.length == 1 && takes[0] == CarrierCodec.VERSION;
        if (now != peer.takesCarriedReads) {
          peer.takesCarriedReads = now;
        }
      }
    }
  }

  // The replica's failure, not the request's, which has not reckoned with the copy; unless it has
  // with a retry that was held back, which would fail as this did, only later.
  private void copyRefused(CarriedRead read, InetAddressAndPort at, Feedback report) {
    copies.answered(read, report, work(report));
    take(read.id, at);
    RequestCallback<?> callback = (RequestCallback<?>) read.callback();
    if (read.copyRefused(at) && callback != null) {
      wait(callback, message(read), at);
    }
    if (read.isOver()) {
      reads.forget(read);
    }
    release(read);
  }

  private static void add(long nanos, LongAdder micros) {
    if (nanos != 0) { // as of nearly all reads
      micros.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }
  }

  private static long work(Feedback report) {
    return report == null ? 0 : report.serviceTimeNanos();
  }

  // Cassandra would compare it with the other one, if it has not looked yet, and where they differ
  // ask once more those that it asked first: so an answer that nobody needs could cost another
  // read.
  private static void dropIfLate(CarriedRead read, InetAddressAndPort from) {
    RequestCallback<?> callback = (RequestCallback<?>) read.callback();
    CallbackInfo waiting = callback != null && isComplete(callback) ? take(read.id, from) : null;
    if (waiting != null) {
      wait(new Cassandra50LateCallback<>(callback), message(read), from);
    }
  }

  /**
   * Returns whether the failure was of a peer that cannot take a carried read: it gets it plain.
   */
  boolean wasRefused(Message<?> failure) {
    InetAddressAndPort from = failure.from();
    CarriedRead read = reads.at(from, failure.id());
    if (read == null) {
      return false;
    }
    boolean served =
        Cassandra50CarriedMessages.parameter(failure, Cassandra50CarriedMessages.SERVED) != null;
    if (read.hasCopyAt(from)) {
      if (served) {
        copyRefused(read, from, null);
      } else {
        endCopy(read, from);
        takesNone(read, from);
      }
      return !served;
    }
    if (served || !read.becomePlain()) {
      failed(read);
      release(read);
      return false;
    }
    takesNone(read, from);
    RequestCallback<?> callback = (RequestCallback<?>) read.callback();
    if (callback == null || isComplete(callback)) {
      take(read.id, from);
      failed(read);
    } else {
      resend(message(read), from);
    }
    return true;
  }

  // A copy of it may still be out.
  private void failed(CarriedRead read) {
    read.fail();
    if (read.isOver()) {
      reads.forget(read);
    }
  }

  private void takesNone(CarriedRead read, InetAddressAndPort replica) {
    counts.carriedInVain.increment();
    Peer peer = live.policy().peers().of(replica);
    peer.takesCarriedReads = false;
    peer.reads.onReturned(read.id, null, host.nanoTime());
  }

  private void returned(Message<?> message, CarrierCodec.Return back) {
    InetAddressAndPort from = message.from();
    CarriedRead read = reads.at(from, back.id);
    if (read == null) {
      counts.passedTooLate.increment();
      return;
    }
    boolean copy = read.hasCopyAt(from);
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
    if (copy) {
      endCopy(read, from);
    } else {
      moveOn(read, from, route, wanted);
    }
  }

  private void moveOn(CarriedRead read, InetAddressAndPort from, Route route, int wanted) {
    int place;
    boolean stays;
    InetAddressAndPort to;
    synchronized (read) {
      CallbackInfo waiting = read.isAt(from) ? take(read.id, from) : null;
      if (waiting == null || isComplete(waiting.callback)) {
        counts.passedTooLate.increment();
        if (read.isAt(from)) {
          failed(read);
        }
        return;
      }
      int before = read.place();
      place = before;
      try {
        int next = read.next(route, wanted);
        if (next != before && mayHaveIt((InetAddressAndPort) route.replica(next), message(read))) {
          place = next;
        }
      } catch (Throwable e) {
        guard.failed("choosing where a read goes on", e);
      }
      stays = place == before;
      to = (InetAddressAndPort) route.replica(place);
      read.moveTo(place);
      wait(waiting.callback, message(read), to);
    }
    (stays ? counts.passedNowhere : counts.passedOn).increment();
    try {
      if (!stays) {
        live.policy().peers().of(to).counts.passedTo.increment();
      }
      send(read, route, place, to, stays ? CarriedTerms.STAYS : CarriedTerms.MAY_LEAVE);
    } catch (Throwable e) {
      // Nobody has the read now, and its callback waits.
      guard.failed("sending a read on", e);
      resendPlain(read, to);
    }
  }

  private void resendPlain(CarriedRead read, InetAddressAndPort to) {
    boolean unused = read.becomePlain();
    resend(message(read), to);
  }

  private boolean mayHaveIt(InetAddressAndPort replica, Message<?> message) {
    return (replica.equals(host.self()) || answers(replica))
        && host.isReplica(replica, message.payload);
  }

  private boolean answers(InetAddressAndPort replica) {
    return host.isAlive(replica)
        && !PassedReads.isSilent(live.policy().peers().of(replica), host.nanoTime());
  }

  /** Sends a read to the replica at that place; its callback waits there already. */
  void send(CarriedRead read, Route route, int place, InetAddressAndPort to, CarriedTerms terms) {
    Message<?> message = message(read);
    if (to.equals(host.self())) {
      int next = reads.admit(route, place, terms, () -> arrivals.enqueue(message));
      if (next == PassingRule.ACCEPT) {
        onSent(terms);
        return;
      }
      if (terms == CarriedTerms.AT_ONCE) {
        endCopy(read, to);
      } else {
        moveOn(read, to, route, next);
      }
      return;
    }
    byte[] bytes =
        live.policy().peers().of(to).takesCarriedReads
            ? encode(message, route, place, terms, to)
            : null;
    if (bytes == null || bytes.length > MAX_BYTES) {
      if (terms == CarriedTerms.AT_ONCE) {
        endCopy(read, to);
        giveUp(read);
      } else {
        resendPlain(read, to);
      }
      return;
    }
    traffic.onReadSent(to, read.id, ReadKind.POINT, message.payload);
    Cassandra50CarriedMessages.send(message, read.id, to, Cassandra50CarriedMessages.READ, bytes);
    onSent(terms);
  }

  private void onSent(CarriedTerms terms) {
    if (terms == CarriedTerms.AT_ONCE) {
      counts.copiesSent.increment();
    }
  }
}
