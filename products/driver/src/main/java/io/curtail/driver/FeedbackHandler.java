/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the node of one connection for its load with each request, and hears it with each answer;
 * marks second copies. On that connection's thread only.
 *
 * <p>A fault in here is never the request's: after one the connection is left alone.
 */
final class FeedbackHandler extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(FeedbackHandler.class);

  /** The driver may not know the node when its first connection answers for the first time. */
  private static final int LOOK_UPS = 100;

  /** Later the node may get an address of its own, as the driver learns it. */
  private static final int ANSWERS_A_LATER_LOOK_UP = 1_000;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private static final Map<String, ByteBuffer> QUESTION =
      Map.of(FeedbackCodec.PAYLOAD_KEY, NOTHING);

  private static final Map<String, ByteBuffer> QUESTION_OF_COPY =
      Map.of(FeedbackCodec.PAYLOAD_KEY, NOTHING, FeedbackCodec.COPY_KEY, NOTHING);

  private final FeedbackContext context;
  private Node node;

  /** While the node is not known. */
  private long answers;

  private boolean broken;
  private boolean nextIsCopy;

  FeedbackHandler(FeedbackContext context) {
    this.context = context;
  }

  /** Whether the frame that is written next is a second copy. */
  void nextIsCopy(boolean isCopy) {
    nextIsCopy = isCopy;
  }

  @Override
  public void write(ChannelHandlerContext channel, Object message, ChannelPromise promise)
      throws Exception {
    Object sent = message;
    if (!broken && message instanceof Frame) {
      try {
        sent = asking((Frame) message, nextIsCopy ? QUESTION_OF_COPY : QUESTION);
      } catch (Throwable e) {
        giveUp(e);
      }
    }
    super.write(channel, sent, promise);
  }

  private static Frame asking(Frame frame, Map<String, ByteBuffer> question) {
    if (!isAsked(frame.message.opcode) || frame.protocolVersion < ProtocolConstants.Version.V4) {
      return frame;
    }
    Map<String, ByteBuffer> payload = question;
    if (!frame.customPayload.isEmpty()) {
      payload = new HashMap<>(frame.customPayload);
      payload.putAll(question);
    }
    return Frame.forRequest(
        frame.protocolVersion, frame.streamId, frame.tracing, payload, frame.message);
  }

  private static boolean isAsked(int opcode) {
    return opcode == ProtocolConstants.Opcode.EXECUTE
        || opcode == ProtocolConstants.Opcode.QUERY
        || opcode == ProtocolConstants.Opcode.BATCH;
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) throws Exception {
    if (!broken && message instanceof Frame) {
      try {
        heard(channel, (Frame) message);
      } catch (Throwable e) {
        giveUp(e);
      }
    }
    super.channelRead(channel, message);
  }

  private void heard(ChannelHandlerContext channel, Frame frame) {
    int opcode = frame.message.opcode;
    if (opcode != ProtocolConstants.Opcode.RESULT && opcode != ProtocolConstants.Opcode.ERROR) {
      return;
    }
    if (node == null && isLookUpDue()) {
      SocketAddress address = channel.channel().remoteAddress();
      node = address instanceof InetSocketAddress ? nodeAt((InetSocketAddress) address) : null;
    }
    if (node != null) {
      Feedback feedback = FeedbackCodec.decode(frame.customPayload.get(FeedbackCodec.PAYLOAD_KEY));
      context.onAnswer(node, feedback);
    }
  }

  private boolean isLookUpDue() {
    answers++;
    return answers <= LOOK_UPS || answers % ANSWERS_A_LATER_LOOK_UP == 0;
  }

  /** Null also if several nodes are behind one address. */
  private Node nodeAt(InetSocketAddress address) {
    Node found = null;
    for (Node each : context.getMetadataManager().getMetadata().getNodes().values()) {
      EndPoint endPoint = each.getEndPoint();
      // Others may ask a name server, which would block this thread.
      if (endPoint instanceof DefaultEndPoint
          && isSame(((DefaultEndPoint) endPoint).resolve(), address)) {
        if (found != null) {
          return null;
        }
        found = each;
      }
    }
    return found;
  }

  /**
   * Whether a connection to one address is connected to another. What is looked up anew for each
   * connection, as contact points may be, stays unresolved; the connection knows the name that it
   * was looked up by.
   */
  private static boolean isSame(InetSocketAddress known, InetSocketAddress connected) {
    return known.isUnresolved()
        ? known.getPort() == connected.getPort()
            && known.getHostString().equalsIgnoreCase(connected.getHostString())
        : known.equals(connected);
  }

  private void giveUp(Throwable e) {
    broken = true;
    LOG.warn("[{}] No more reports on one connection", context.getSessionName(), e);
  }
}
