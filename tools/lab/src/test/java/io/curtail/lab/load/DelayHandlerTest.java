/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.network.AddressBlock;
import io.curtail.lab.network.LoopbackNetwork;
import io.curtail.lab.network.ZoneLatencies;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayHandlerTest {
  private static final AddressBlock ADDRESSES = new AddressBlock(77, 1);
  private static final InetAddress NODE = AddressBlock.parse(ADDRESSES.node(2, 3));

  private final LoopbackNetwork network = new LoopbackNetwork(ADDRESSES, 3, 3);
  private final DelayClock clock = new DelayClock();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new DelayHandler("A", network, clock)) {
        @Override
        protected SocketAddress remoteAddress0() {
          return new InetSocketAddress(NODE, 9042);
        }
      };

  @Test
  void should_pass_everything_at_once_when_there_is_no_latency() {
    channel.writeInbound("1", "2");
    assertThat(received()).containsExactly("1", "2");
  }

  @Test
  void should_hold_an_answer_for_the_round_trip() throws Exception {
    network.use(ZoneLatencies.TALK);
    network.delayEgress(NODE, Duration.ofMillis(20));
    long start = System.nanoTime();
    channel.writeInbound("1");
    await(1);
    double millis = (System.nanoTime() - start) / 1e6;
    assertThat(millis).isGreaterThan(20.8 - 0.15);
    assertThat(clock.takeErrors().count()).isEqualTo(1);
  }

  @Test
  void should_keep_the_order_when_the_latency_shrinks() throws Exception {
    network.delayEgress(NODE, Duration.ofMillis(30));
    long start = System.nanoTime();
    channel.writeInbound("late");
    network.delayEgress(NODE, Duration.ZERO);
    channel.writeInbound("early", "next");
    assertThat(await(3)).containsExactly("late", "early", "next");
    assertThat((System.nanoTime() - start) / 1e6).isGreaterThan(30 - 0.15);
  }

  @Test
  void should_release_what_it_holds_when_the_connection_ends() {
    network.delayEgress(NODE, Duration.ofHours(1));
    ByteBuf held = Unpooled.buffer().writeInt(1);
    channel.writeInbound(held);
    channel.close().syncUninterruptibly();
    assertThat(held.refCnt()).isZero();
  }

  private List<Object> received() {
    List<Object> messages = new ArrayList<>();
    for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
      messages.add(next);
    }
    return messages;
  }

  private List<Object> await(int count) throws InterruptedException {
    List<Object> messages = new ArrayList<>();
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (messages.size() < count && System.nanoTime() < deadline) {
      channel.runScheduledPendingTasks();
      messages.addAll(received());
      Thread.sleep(1);
    }
    return messages;
  }
}
