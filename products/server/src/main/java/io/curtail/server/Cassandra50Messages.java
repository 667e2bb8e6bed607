/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Arrays;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The hooks of Cassandra 5.0's messaging: tells {@link ReadTraffic} of the reads that pass, and
 * attaches its feedback to answers. Thread-safe.
 */
final class Cassandra50Messages {
  /** In the custom parameters of a message; other plug-ins have theirs beside it. */
  private static final String FEEDBACK = "ct";

  /** Also those of releases that have more than 5.0.0. */
  private static final ParamType[] REFUSALS =
      Arrays.stream(ParamType.values())
          .filter(parameter -> parameter.name().endsWith("_FAIL"))
          .toArray(ParamType[]::new);

  private final ReadTraffic traffic;
  private final Guard guard;
  private final Cassandra50Departures departures;
  private final Cassandra50Carrier carrier;
  private final Cassandra50CarriedArrivals arrivals;
  private final PassedReads passed;
  private final Guard passingGuard;

  Cassandra50Messages(
      ReadTraffic traffic,
      Guard guard,
      Cassandra50Departures departures,
      Cassandra50Carrier carrier,
      Cassandra50CarriedArrivals arrivals,
      PassedReads passed,
      Guard passingGuard) {
    this.traffic = traffic;
    this.guard = guard;
    this.departures = departures;
    this.carrier = carrier;
    this.arrivals = arrivals;
    this.passed = passed;
    this.passingGuard = passingGuard;
  }

  /** From now on the traffic sees every read that is sent, served and answered. */
  void observe() {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    MessagingService.instance()
        .latencySubscribers
        .subscribe(
            (endpoint, latency, unit) -> {
              if (endpoint.equals(self)) {
                traffic.onOwnReadAnswered();
              }
            });
    MessagingService.instance()
        .inboundSink
        .add(
            message -> {
              try {
                return inbound(message);
              } catch (Throwable e) {
                guard.failed("looking at a message that came", e);
              }
              return true;
            });
    MessagingService.instance()
        .outboundSink
        .add(
            (message, to) -> {
              try {
                return outbound(message, to);
              } catch (Throwable e) {
                guard.failed("looking at a message that goes", e);
                return true;
              }
            });
  }

  // On the stage thread of the verb, just before its handler.
  private boolean inbound(Message<?> message) {
    switch (message.verb()) {
      case READ_REQ:
        passing("observing a read", this::observed);
        traffic.onServing(message.id());
        break;
      case RANGE_REQ:
        traffic.onServing(message.id());
        break;
      case READ_RSP:
        byte[] feedback = feedback(message);
        passing("looking at an answer", () -> carried(message, feedback));
        answered(message, feedback);
        break;
      case RANGE_RSP:
        answered(message, feedback(message));
        break;
      case FAILURE_RSP:
        if (passing("looking at a failure", () -> carrier.wasRefused(message))) {
          return false;
        }
        traffic.onRequestFailed(message.from(), message.id(), causeOf(message.payload));
        break;
      case _TEST_2:
        return !passing("taking a carried read", () -> carrier.receives(message));
      default:
        break;
    }
    return true;
  }

  private boolean observed() {
    passed.onServing();
    return false;
  }

  private static byte[] feedback(Message<?> answer) {
    return Cassandra50CarriedMessages.parameter(answer, FEEDBACK);
  }

  private boolean carried(Message<?> answer, byte[] feedback) {
    carrier.answered(answer, feedback);
    return false;
  }

  /** Returns whether the message was taken care of; if that fails it goes as on a stock node. */
  private boolean passing(String doing, BooleanSupplier hook) {
    try {
      return hook.getAsBoolean();
    } catch (Throwable e) {
      passingGuard.failed(doing, e);
      return false;
    }
  }

  private void answered(Message<?> message, byte[] feedback) {
    if (isRefusal(message)) {
      traffic.onRequestFailed(message.from(), message.id(), FailureCause.READ);
      return;
    }
    traffic.onReadAnswered(message.from(), message.id(), kind(message), feedback);
  }

  private static FailureCause causeOf(Object payload) {
    return payload instanceof RequestFailureReason
        ? Cassandra50.causeOf((RequestFailureReason) payload)
        : FailureCause.REPLICA;
  }

  private static ReadKind kind(Message<?> message) {
    boolean isRange = message.verb() == Verb.RANGE_REQ || message.verb() == Verb.RANGE_RSP;
    return isRange ? ReadKind.RANGE : ReadKind.POINT;
  }

  /**
   * Whether a replica answered that it will not do what a read asks: one over a threshold of
   * Cassandra's is answered, quickly, with nothing in it.
   */
  static boolean isRefusal(Message<?> answer) {
    Map<ParamType, Object> parameters = answer.header.params();
    for (ParamType refusal : REFUSALS) {
      if (parameters.containsKey(refusal)) {
        return true;
      }
    }
    return false;
  }

  // On the thread that sends; an answer to a read is sent by the thread that served it.
  private boolean outbound(Message<?> message, InetAddressAndPort to) {
    switch (message.verb()) {
      case READ_REQ:
        if (passing("sending a second read", () -> departures.redirects(message, to))
            || passing("reading its own data", () -> departures.keepsHere(message, to))) {
          return false;
        }
        traffic.onReadSent(to, message.id(), ReadKind.POINT, message.payload);
        return !passing("sending a carried read", () -> departures.carries(message, to));
      case RANGE_REQ:
        traffic.onReadSent(to, message.id(), ReadKind.RANGE, message.payload);
        return true;
      case PAXOS_PREPARE_REQ:
      case PAXOS2_PREPARE_REQ:
        departures.onPaxos();
        return true;
      case FAILURE_RSP:
        return !passing("sending a failure", () -> arrivals.answersFailure(message, to))
            && !passing("answering itself", () -> carrier.answersSelf(message, to));
      case READ_RSP:
        return !passing("answering itself", () -> carrier.answersSelf(message, to))
            && isComplete(message, to);
      case RANGE_RSP:
        return isComplete(message, to);
      default:
        return true;
    }
  }

  // Otherwise it was sent with the feedback.
  private boolean isComplete(Message<?> answer, InetAddressAndPort to) {
    byte[] feedback = traffic.feedbackFor(answer.id());
    if (feedback == null) {
      return true;
    }
    MessagingService.instance().send(withFeedback(answer, feedback), to);
    return false;
  }

  private Message<?> withFeedback(Message<?> answer, byte[] feedback) {
    Map<String, byte[]> all =
        Cassandra50CarriedMessages.with(answer.header.customParams(), FEEDBACK, feedback);
    return answer.withParam(ParamType.CUSTOM_MAP, arrivals.advertise(all));
  }
}
