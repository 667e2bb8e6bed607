/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.tracing.TraceState;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.utils.TimeUUID;

/**
 * Messages of Cassandra 5.0 that carry a read past the stage in which its replica would queue it:
 * the read travels in a custom parameter of a message that no stage queues. Stateless.
 */
final class Cassandra50CarriedMessages {
  /** In a message to a replica: a read. */
  static final String READ = "cr";

  /** In a message to a coordinator: a read that comes back. */
  static final String RETURN = "cb";

  /** In a failure: it is of the read itself. */
  static final String SERVED = "cs";

  /** In an answer: the node takes carried reads, of this version. */
  static final String TAKES = "cp";

  static final byte[] THIS_VERSION = {CarrierCodec.VERSION};

  /** Nobody handles it where the plug-in is not: the event loop calls its handler at once. */
  static final Verb VERB = Verb._TEST_2;

  private Cassandra50CarriedMessages() {}

  /**
   * Sends bytes under a name.
   *
   * @param like has the flags, the times and the parameters of others
   */
  @SuppressWarnings("unchecked") // the payload is exchanged with the verb
  static void send(Message<?> like, long id, InetAddressAndPort to, String name, byte[] bytes) {
    Message<?> carrier =
        Message.builder((Message<Object>) like)
            .ofVerb(VERB)
            .withPayload(NoPayload.noPayload)
            .withId(id)
            .withParam(ParamType.CUSTOM_MAP, with(like.header.customParams(), name, bytes))
            .build();
    MessagingService.instance().send(carrier, to);
  }

  /** Returns what stands in the message under a name; null if nothing does. */
  static byte[] parameter(Message<?> message, String name) {
    Map<String, byte[]> all = message.header.customParams();
    return all == null ? null : all.get(name);
  }

  static Message<?> withParameter(Message<?> message, String name, byte[] value) {
    return message.withParam(
        ParamType.CUSTOM_MAP, with(message.header.customParams(), name, value));
  }

  /**
   * Returns the custom parameters of a message, which stay as they are, and one more.
   *
   * @param others null for none
   */
  static Map<String, byte[]> with(Map<String, byte[]> others, String name, byte[] value) {
    if (others == null || others.isEmpty()) {
      return Collections.singletonMap(name, value);
    }
    Map<String, byte[]> all = new HashMap<>(others);
    all.put(name, value);
    return all;
  }

  private static Map<String, byte[]> without(Map<String, byte[]> all, String name) {
    Map<String, byte[]> others = new HashMap<>(all);
    others.remove(name);
    return others;
  }

  /** Returns the command of a read, as its replica's version of the protocol has it. */
  static byte[] command(Message<?> read, int messagingVersion) {
    try (DataOutputBuffer out = new DataOutputBuffer(256)) {
      ReadCommand.serializer.serialize((ReadCommand) read.payload, out, messagingVersion);
      return out.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the read that came in a carrier, as a stock node would have got it. */
  @SuppressWarnings("unchecked") // the payload is exchanged with the verb
  static Message<?> plain(Message<?> carrier, CarrierCodec.Arrival arrival) throws IOException {
    Map<String, byte[]> others = without(carrier.header.customParams(), READ);
    try (DataInputBuffer in = new DataInputBuffer(arrival.read)) {
      Message.Builder<?> plain =
          Message.builder((Message<Object>) carrier)
              .ofVerb(Verb.READ_REQ)
              .withPayload(ReadCommand.serializer.deserialize(in, arrival.messagingVersion));
      return (others.isEmpty()
              ? plain.withoutParam(ParamType.CUSTOM_MAP)
              : plain.withParam(ParamType.CUSTOM_MAP, others))
          .build();
    }
  }

  /** Returns the trace of a message as it came; null if it has none here. */
  static TraceState trace(Message<?> message) {
    TimeUUID session = message.traceSession();
    return session == null ? null : Tracing.instance.get(session);
  }

  /** Cassandra keeps a trace for each message that came, until it has sent an answer. */
  static void endTrace(Message<?> unanswered) {
    TraceState trace = trace(unanswered);
    if (trace != null) {
      Tracing.instance.doneWithNonLocalSession(trace);
    }
  }
}
