/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import io.curtail.lab.network.ZoneNetwork;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Holds what a node sends for the round trip between the client's zone and the node's, in order. It
 * stands first in a channel's pipeline, so that everything on the connection is delayed, as a
 * network does.
 *
 * <p>The whole round trip is added to the answer: a client cannot tell that from half of it each
 * way, and it takes one timer instead of two. The timer is the event loop's own, which epoll serves
 * to the microsecond, so no thread is woken but the one that handles the answer anyway. A timer
 * rings a little late; {@link DelayClock} learns how much and rings earlier.
 */
final class DelayHandler extends ChannelInboundHandlerAdapter {
  private record Held(Object message, long dueNanos) {}

  private final String clientZone;
  private final ZoneNetwork network;
  private final DelayClock clock;
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private InetAddress node;
  private boolean scheduled;

  DelayHandler(String clientZone, ZoneNetwork network, DelayClock clock) {
    this.clientZone = clientZone;
    this.network = network;
    this.clock = clock;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (context.channel().remoteAddress() instanceof InetSocketAddress address) {
      node = address.getAddress();
    }
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    long delay = node == null ? 0 : roundTripNanos();
    if (delay == 0 && held.isEmpty()) {
      context.fireChannelRead(message);
      return;
    }
    long now = System.nanoTime();
    long due = now + delay;
    if (!held.isEmpty()) {
      due = Math.max(due, held.getLast().dueNanos());
    }
    held.add(new Held(message, due));
    scheduleHead(context, now);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (held.isEmpty()) {
      context.fireChannelReadComplete();
    }
  }

  private long roundTripNanos() {
    return network.toNodeNanos(clientZone, node) + network.toClientNanos(clientZone, node);
  }

  private void scheduleHead(ChannelHandlerContext context, long now) {
    if (!scheduled && !held.isEmpty()) {
      scheduled = true;
      long wait = held.peek().dueNanos() - now - clock.leadNanos();
      Future<?> unused =
          context
              .executor()
              .schedule(() -> release(context), Math.max(0, wait), TimeUnit.NANOSECONDS);
    }
  }

  private void release(ChannelHandlerContext context) {
    scheduled = false;
    boolean first = true;
    long now = System.nanoTime();
    boolean any = false;
    while (!held.isEmpty() && held.peek().dueNanos() - now <= clock.leadNanos()) {
      Held next = held.poll();
      clock.record(now - next.dueNanos(), first);
      first = false;
      any = true;
      context.fireChannelRead(next.message());
      now = System.nanoTime();
    }
    if (any) {
      context.fireChannelReadComplete();
    }
    scheduleHead(context, System.nanoTime());
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    drop();
  }

  /** The connection is gone, and with it what was still on its way. */
  private void drop() {
    for (Held message : held) {
      ReferenceCountUtil.release(message.message());
    }
    held.clear();
  }
}
