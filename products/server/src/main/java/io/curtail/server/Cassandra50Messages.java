/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
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

  private final ReadTraffic traffic;
  private final Guard guard;

  Cassandra50Messages(ReadTraffic traffic, Guard guard) {
    this.traffic = traffic;
    this.guard = guard;
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
                inbound(message);
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
  private void inbound(Message<?> message) {
    switch (message.verb()) {
      case READ_REQ:
      case RANGE_REQ:
        traffic.onServing(message.id());
        break;
      case READ_RSP:
      case RANGE_RSP:
        answered(message);
        break;
      case FAILURE_RSP:
        traffic.onRequestFailed(message.from(), message.id(), causeOf(message.payload));
        break;
      default:
        break;
    }
  }

  private void answered(Message<?> message) {
    Map<ParamType, Object> parameters = message.header.params();
    if (isRefused(parameters)) {
      traffic.onRequestFailed(message.from(), message.id(), FailureCause.READ);
      return;
    }
    Object custom = parameters.get(ParamType.CUSTOM_MAP);
    byte[] feedback = custom instanceof Map ? (byte[]) ((Map<?, ?>) custom).get(FEEDBACK) : null;
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

  // A read over a threshold is answered, quickly, with nothing in it.
  private static boolean isRefused(Map<ParamType, Object> parameters) {
    return parameters.containsKey(ParamType.TOMBSTONE_FAIL)
        || parameters.containsKey(ParamType.LOCAL_READ_SIZE_FAIL)
        || parameters.containsKey(ParamType.ROW_INDEX_READ_SIZE_FAIL)
        || parameters.containsKey(ParamType.TOO_MANY_REFERENCED_INDEXES_FAIL);
  }

  // On the thread that sends; an answer to a read is sent by the thread that served it.
  private boolean outbound(Message<?> message, InetAddressAndPort to) {
    switch (message.verb()) {
      case READ_REQ:
      case RANGE_REQ:
        traffic.onReadSent(to, message.id(), kind(message), message.payload);
        return true;
      case READ_RSP:
      case RANGE_RSP:
        byte[] feedback = traffic.feedbackFor(message.id());
        if (feedback == null) {
          return true;
        }
        MessagingService.instance().send(withFeedback(message, feedback), to);
        return false;
      default:
        return true;
    }
  }

  private static Message<?> withFeedback(Message<?> message, byte[] feedback) {
    Map<String, byte[]> others = message.header.customParams();
    Map<String, byte[]> all;
    if (others == null || others.isEmpty()) {
      all = Collections.singletonMap(FEEDBACK, feedback);
    } else {
      all = new HashMap<>(others);
      all.put(FEEDBACK, feedback);
    }
    return message.withParam(ParamType.CUSTOM_MAP, all);
  }
}
