/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;

/**
 * The single thread that makes and receives all requests of a client: with epoll, whose timers are
 * exact to microseconds; where Linux's epoll is missing, with NIO, whose timers are exact to a
 * millisecond, so that runs with zone latencies will be discarded.
 */
final class ClientThread {
  private ClientThread() {}

  static EventLoopGroup start(String name) {
    ThreadFactory threads = new DefaultThreadFactory(name, true);
    return Epoll.isAvailable()
        ? new EpollEventLoopGroup(1, threads)
        : new NioEventLoopGroup(1, threads);
  }

  static Class<? extends Channel> channelClass() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }
}
