/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.channel.DefaultWriteCoalescer;
import com.datastax.oss.driver.internal.core.channel.WriteCoalescer;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.Feedback;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's own context, whose connections listen to what nodes report and mark second copies.
 * Thread-safe.
 */
final class FeedbackContext extends DefaultDriverContext implements FeedbackSource {
  private static final Logger LOG = LoggerFactory.getLogger(FeedbackContext.class);

  /** What the driver calls the handler that knows which request an answer belongs to. */
  private static final String IN_FLIGHT = "inflight";

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  private final Function<InternalDriverContext, NettyOptions> network;

  FeedbackContext(
      DriverConfigLoader configLoader,
      ProgrammaticArguments arguments,
      Function<InternalDriverContext, NettyOptions> network) {
    super(configLoader, arguments);
    this.network = network;
  }

  @Override
  protected NettyOptions buildNettyOptions() {
    NettyOptions own = Objects.requireNonNull(network.apply(this), "no Netty options");
    return new HearingNettyOptions(own, this::listenTo);
  }

  /** The driver's threads hand each message to it; connections write it later, on their own. */
  @Override
  protected WriteCoalescer buildWriteCoalescer() {
    WriteCoalescer next = new DefaultWriteCoalescer(this);
    return (channel, message) ->
        next.writeAndFlush(channel, CopyMark.take() ? new CopyMark.Marked(message) : message);
  }

  private void listenTo(Channel channel) {
    try {
      FeedbackHandler handler = new FeedbackHandler(this);
      channel.pipeline().addBefore(IN_FLIGHT, "curtail-feedback", handler);
      channel.pipeline().addAfter(IN_FLIGHT, "curtail-copies", new Unmarking(handler));
    } catch (NoSuchElementException e) {
      LOG.warn(
          "[{}] No reports of nodes: this driver's connections have no '{}'",
          getSessionName(),
          IN_FLIGHT);
    }
  }

  @Override
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  void onAnswer(Node node, @Nullable Feedback feedback) {
    for (Listener listener : listeners) {
      listener.onAnswer(node, feedback);
    }
  }

  /**
   * Hands the driver its own message, and tells the handler behind it, which sees the frame made of
   * it before this returns.
   */
  private static final class Unmarking extends ChannelOutboundHandlerAdapter {
    private final FeedbackHandler frames;

    Unmarking(FeedbackHandler frames) {
      this.frames = frames;
    }

    @Override
    public void write(ChannelHandlerContext channel, Object message, ChannelPromise promise)
        throws Exception {
      boolean isCopy = message instanceof CopyMark.Marked;
      frames.nextIsCopy(isCopy);
      super.write(channel, isCopy ? ((CopyMark.Marked) message).message : message, promise);
    }
  }
}
