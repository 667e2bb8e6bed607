/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.internal.core.context.NettyOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.Timer;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.function.Consumer;

/** Another's network, with a look at each connection when that has set it up. */
final class HearingNettyOptions implements NettyOptions {
  private final NettyOptions network;
  private final Consumer<Channel> look;

  HearingNettyOptions(NettyOptions network, Consumer<Channel> look) {
    this.network = network;
    this.look = look;
  }

  @Override
  public void afterChannelInitialized(Channel channel) {
    network.afterChannelInitialized(channel);
    look.accept(channel);
  }

  @Override
  public EventLoopGroup ioEventLoopGroup() {
    return network.ioEventLoopGroup();
  }

  @Override
  public Class<? extends Channel> channelClass() {
    return network.channelClass();
  }

  @Override
  public EventExecutorGroup adminEventExecutorGroup() {
    return network.adminEventExecutorGroup();
  }

  @Override
  public ByteBufAllocator allocator() {
    return network.allocator();
  }

  @Override
  public void afterBootstrapInitialized(Bootstrap bootstrap) {
    network.afterBootstrapInitialized(bootstrap);
  }

  @Override
  public Future<Void> onClose() {
    return network.onClose();
  }

  @Override
  public Timer getTimer() {
    return network.getTimer();
  }
}
