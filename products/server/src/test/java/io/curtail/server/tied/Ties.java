/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server.tied;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Tied reads on stock hooks, as a proof: the coordinator sends a second copy of a read after a
 * delay, by a timer; the replica that starts one first tells the other, which drops its own.
 *
 * <p>A copy carries {id of the first copy, address of the other replica}. A claim is the same, on a
 * MUTATION_RSP of an id that nobody waits for.
 */
final class Ties implements TiesMBean {
  private static final String TIE = "tie";
  private static final String CLAIM = "claim";
  private static final int REMEMBERED = 4_096;

  @SuppressWarnings("ThreadLocalUsage") // one in a node
  private final ThreadLocal<InetAddressAndPort> last = new ThreadLocal<>();

  private final Set<String> waiting = ConcurrentHashMap.newKeySet();
  private final Map<String, Boolean> claimed = remembered();
  private final Map<String, Boolean> started = remembered();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final LongAdder copies = new LongAdder();
  private final LongAdder answeredByCopy = new LongAdder();
  private final LongAdder claims = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder startedTwice = new LongAdder();
  private volatile long delayMicros;

  private static Map<String, Boolean> remembered() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
          }
        });
  }

  void install() {
    MessagingService.instance().inboundSink.add(this::inbound);
    MessagingService.instance().outboundSink.add(this::outbound);
  }

  void ordered(ReplicaCollection<?> order) {
    Replica candidate = order.isEmpty() ? null : order.get(order.size() - 1);
    last.set(candidate == null ? null : candidate.endpoint());
  }

  private boolean outbound(Message<?> message, InetAddressAndPort to) {
    if (message.verb() != Verb.READ_REQ || delayMicros == 0 || tie(message) != null) {
      return true;
    }
    InetAddressAndPort other = last.get();
    ReadCommand command = (ReadCommand) message.payload;
    if (other == null || other.equals(to) || command.isDigestQuery()) {
      return true;
    }
    last.remove();
    waiting.add(key(to, message.id()));
    ScheduledFuture<?> unused =
        timer.schedule(
            () -> sendCopy(command, message.id(), to, other), delayMicros, TimeUnit.MICROSECONDS);
    MessagingService.instance().send(tied(message, message.id(), other), to);
    return false;
  }

  private void sendCopy(
      ReadCommand command, long id, InetAddressAndPort first, InetAddressAndPort second) {
    if (!waiting.contains(key(first, id))) {
      return;
    }
    copies.increment();
    Message<ReadCommand> copy =
        Message.outWithFlag(Verb.READ_REQ, command, MessageFlag.CALL_BACK_ON_FAILURE);
    MessagingService.instance()
        .sendWithCallback(
            tied(copy, id, first),
            second,
            new RequestCallback<Object>() {
              @Override
              public void onResponse(Message<Object> answer) {
                if (waiting.remove(key(first, id))) {
                  answeredByCopy.increment();
                  MessagingService.instance().callbacks.removeAndRespond(id, first, answer);
                }
              }

              @Override
              public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {}

              @Override
              public boolean invokeOnFailure() {
                return true;
              }
            });
  }

  // A read comes by on the read stage's thread, just before its handler.
  private boolean inbound(Message<?> message) {
    return switch (message.verb()) {
      case READ_REQ -> tie(message) == null || start(message, tie(message));
      case READ_RSP, FAILURE_RSP -> {
        waiting.remove(key(message.from(), message.id()));
        yield true;
      }
      case MUTATION_RSP -> !isClaim(message);
      default -> true;
    };
  }

  private boolean start(Message<?> message, byte[] tie) {
    ByteBuffer bytes = ByteBuffer.wrap(tie);
    long id = bytes.getLong();
    String key = key(message.from(), id);
    started.put(key, true);
    if (claimed.containsKey(key)) {
      dropped.increment();
      return false;
    }
    boolean isFirst = message.id() == id;
    long ageMicros = (System.nanoTime() - message.createdAtNanos()) / 1_000;
    if (!isFirst || ageMicros >= delayMicros / 2) {
      claims.increment();
      InetAddressAndPort other = address(bytes);
      MessagingService.instance()
          .send(
              Message.builder(Verb.MUTATION_RSP, NoPayload.noPayload)
                  .from(FBUtilities.getBroadcastAddressAndPort())
                  .withCustomParam(CLAIM, claim(id, message.from()))
                  .build(),
              other);
    }
    return true;
  }

  private boolean isClaim(Message<?> message) {
    Map<String, byte[]> custom = message.header.customParams();
    byte[] claim = custom == null ? null : custom.get(CLAIM);
    if (claim == null) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(claim);
    long id = bytes.getLong();
    String key = key(address(bytes), id);
    claimed.put(key, true);
    if (started.containsKey(key)) {
      startedTwice.increment();
    }
    return true;
  }

  private static byte[] tie(Message<?> message) {
    Map<String, byte[]> custom = message.header.customParams();
    return custom == null ? null : custom.get(TIE);
  }

  private static <T> Message<T> tied(Message<T> message, long id, InetAddressAndPort other) {
    return message.withParam(ParamType.CUSTOM_MAP, Collections.singletonMap(TIE, claim(id, other)));
  }

  private static byte[] claim(long id, InetAddressAndPort address) {
    byte[] host = address.getAddress().getAddress();
    return ByteBuffer.allocate(12 + host.length)
        .putLong(id)
        .putInt(address.getPort())
        .put(host)
        .array();
  }

  private static InetAddressAndPort address(ByteBuffer bytes) {
    int port = bytes.getInt();
    byte[] host = new byte[bytes.remaining()];
    bytes.get(host);
    try {
      return InetAddressAndPort.getByAddressOverrideDefaults(InetAddress.getByAddress(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(InetAddressAndPort address, long id) {
    return address + "#" + id;
  }

  @Override
  public long getDelayMicros() {
    return delayMicros;
  }

  @Override
  public void setDelayMicros(long micros) {
    delayMicros = micros;
  }

  @Override
  public long getCopies() {
    return copies.sum();
  }

  @Override
  public long getAnsweredByCopy() {
    return answeredByCopy.sum();
  }

  @Override
  public long getClaims() {
    return claims.sum();
  }

  @Override
  public long getDropped() {
    return dropped.sum();
  }

  @Override
  public long getStartedTwice() {
    return startedTwice.sum();
  }
}
