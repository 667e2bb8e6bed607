/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.internal.core.context.DefaultNettyOptions;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.curtail.lab.network.ZoneNetwork;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/** The stock driver's network, with one event loop that we own and a delay on every connection. */
final class LabNettyOptions extends DefaultNettyOptions {
  private final EventLoopGroup loop;
  private final String zone;
  private final InetAddress source;
  private final ZoneNetwork network;
  private final DelayClock clock;

  LabNettyOptions(
      InternalDriverContext context,
      EventLoopGroup loop,
      String zone,
      InetAddress source,
      ZoneNetwork network,
      DelayClock clock) {
    super(context);
    this.loop = loop;
    this.zone = zone;
    this.source = source;
    this.network = network;
    this.clock = clock;
  }

  @Override
  public EventLoopGroup ioEventLoopGroup() {
    return loop;
  }

  @Override
  public Class<? extends Channel> channelClass() {
    return ClientThread.channelClass();
  }

  @Override
  public void afterBootstrapInitialized(Bootstrap bootstrap) {
    super.afterBootstrapInitialized(bootstrap);
    if (source != null) {
      bootstrap.localAddress(source, 0);
    }
  }

  @Override
  public void afterChannelInitialized(Channel channel) {
    super.afterChannelInitialized(channel);
    channel.pipeline().addFirst("zone-latency", new DelayHandler(zone, network, clock));
  }

  @Override
  public Future<Void> onClose() {
    Future<?> unused = loop.shutdownGracefully(0, 5, TimeUnit.SECONDS);
    return super.onClose();
  }
}
