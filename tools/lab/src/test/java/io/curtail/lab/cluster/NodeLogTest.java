/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLogTest {
  private static final String PEER = "127.77.1.33";
  private static final String UP = "INFO Gossiper - InetAddress /127.77.1.33:7000 is now UP\n";
  private static final String DOWN = "INFO Gossiper - InetAddress /127.77.1.33:7000 is now DOWN\n";
  private static final String NORMAL =
      "DEBUG StorageService - Node /127.77.1.33:7000 state NORMAL, token [-1]\n";
  private static final String LISTENING =
      "INFO PipelineConfigurator - Starting listening for CQL clients on /127.77.1.1:9042\n";

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("system.log");
  }

  private void write(String lines) throws IOException {
    Files.writeString(file(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private NodeLog polled() throws IOException {
    NodeLog log = NodeLog.fromTheStart(file());
    log.poll();
    return log;
  }

  @Test
  void should_not_see_a_peer_whose_tokens_are_not_known_when_it_gossips() throws IOException {
    write(UP);
    NodeLog log = polled();
    assertThat(log.seesUp(PEER)).isFalse();
    write(NORMAL.substring(0, 40));
    log.poll();
    assertThat(log.seesUp(PEER)).isFalse();
    write(NORMAL.substring(40));
    log.poll();
    assertThat(log.seesUp(PEER)).isTrue();
  }

  @Test
  void should_not_see_a_peer_when_it_went_down() throws IOException {
    write(NORMAL + UP + DOWN);
    assertThat(polled().seesUp(PEER)).isFalse();
  }

  @Test
  void should_not_see_a_peer_that_it_forgot_until_it_is_up_again() throws IOException {
    write(
        NORMAL
            + UP
            + "INFO Gossiper - FatClient /127.77.1.33:7000 has been silent for 500ms, gone\n");
    NodeLog log = polled();
    assertThat(log.seesUp(PEER)).isFalse();
    write(UP);
    log.poll();
    assertThat(log.seesUp(PEER)).isTrue();
  }

  @Test
  void should_not_see_a_peer_that_joins_anew_until_its_tokens_are_known() throws IOException {
    write(NORMAL + UP);
    NodeLog log = polled();
    log.expectJoinOf(PEER);
    write(UP);
    log.poll();
    assertThat(log.seesUp(PEER)).isFalse();
    write(NORMAL);
    log.poll();
    assertThat(log.seesUp(PEER)).isTrue();
  }

  @Test
  void should_know_the_ring_but_nothing_else_when_the_node_was_restarted() throws IOException {
    write(NORMAL + UP + LISTENING);
    NodeLog next = polled().afterRestart();
    next.poll();
    assertThat(next.listening()).isFalse();
    assertThat(next.seesUp(PEER)).isFalse();
    write(UP + LISTENING);
    next.poll();
    assertThat(next.listening()).isTrue();
    assertThat(next.seesUp(PEER)).isTrue();
  }

  @Test
  void should_say_nothing_when_the_node_has_no_log_yet() throws IOException {
    NodeLog log = polled();
    assertThat(log.listening()).isFalse();
    assertThat(log.afterRestart().listening()).isFalse();
  }
}
