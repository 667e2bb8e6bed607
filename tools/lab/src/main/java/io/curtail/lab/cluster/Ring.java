/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes of a lab as they see each other. Thread-safe. */
final class Ring {
  private static final int POLL_MILLIS = 50;
  private static final long APART_NANOS = Duration.ofSeconds(10).toNanos();
  private static final String GOSSIPER = "org.apache.cassandra.net:type=Gossiper";

  /** Called with each new process of a node. */
  interface StartListener {
    void started(LabNode node) throws IOException;
  }

  private final List<LabNode> nodes = new ArrayList<>();
  private final StartListener listener;

  Ring(StartListener listener) {
    this.listener = listener;
  }

  synchronized void add(LabNode node) {
    nodes.add(node);
  }

  synchronized List<LabNode> nodes() {
    return List.copyOf(nodes);
  }

  void started(LabNode node) throws IOException {
    listener.started(node);
  }

  /** The others may still think that a node which is gone is up: wait for fresh news of it. */
  synchronized void expectReturnOf(LabNode returning) throws IOException {
    for (LabNode node : nodes) {
      node.log().poll();
      node.log().expectReturnOf(returning.host());
    }
  }

  /** The same of a node that has left, and has no tokens for the others until it has joined. */
  synchronized void expectJoinOf(LabNode joining) throws IOException {
    for (LabNode node : nodes) {
      node.log().poll();
      node.log().expectJoinOf(joining.host());
    }
  }

  /**
   * Waits until each live node serves clients and sees each other live node up.
   *
   * @throws IllegalStateException if a node that was alive dies, or time runs out; with the end of
   *     that node's log
   */
  void awaitWhole(Duration timeout, Progress progress) throws IOException {
    List<LabNode> expected = nodes().stream().filter(LabNode::isAlive).toList();
    Set<LabNode> whole = new HashSet<>();
    long start = System.nanoTime();
    long apartSince = start;
    while (true) {
      LabNode waitingFor = null;
      for (LabNode node : expected) {
        if (!node.isAlive()) {
          throw new IllegalStateException(node.failure("died while it started"));
        }
        synchronized (this) {
          node.log().poll();
        }
        if (!isUp(node, expected)) {
          waitingFor = node;
        } else if (whole.add(node)) {
          node.markUp();
          progress.report(
              String.format(
                  Locale.ROOT,
                  "node %d up in zone %s at %s after %.1f s",
                  node.index(),
                  node.zone(),
                  node.host(),
                  node.startUpMillis() / 1000.0));
        }
      }
      if (waitingFor == null) {
        return;
      }
      List<LabNode> serving = serving(expected);
      if (serving.stream().allMatch(node -> seesAll(node, serving))) {
        apartSince = System.nanoTime();
      } else if (System.nanoTime() - apartSince > APART_NANOS) {
        bringTogether(serving);
        apartSince = System.nanoTime();
      }
      if (System.nanoTime() - start > timeout.toNanos()) {
        throw new IllegalStateException(
            waitingFor.failure(
                "is not up after %d s (%s)".formatted(timeout.toSeconds(), missing(expected))));
      }
      pause();
    }
  }

  private static boolean isUp(LabNode node, List<LabNode> expected) {
    return node.log().listening() && seesAll(node, expected);
  }

  private static boolean seesAll(LabNode node, List<LabNode> others) {
    return others.stream().allMatch(other -> sees(node, other));
  }

  private static boolean sees(LabNode node, LabNode other) {
    return other == node
        || (other.ownsData() ? node.log().seesUp(other.host()) : node.log().hears(other.host()));
  }

  private static List<LabNode> serving(List<LabNode> expected) {
    return expected.stream().filter(node -> node.log().listening() && !node.isPaused()).toList();
  }

  /**
   * A node forgets a peer that is silent for a moment before it owns tokens, as one of its seeds
   * too. Two that start together and forget each other would never speak again. From here on it
   * counts what a node knows, for its log does not always say so.
   */
  private void bringTogether(List<LabNode> serving) {
    Set<String> hosts = serving.stream().map(LabNode::host).collect(Collectors.toSet());
    for (LabNode node : serving) {
      if (seesAll(node, serving)) {
        continue;
      }
      try (NodeManagement management = new NodeManagement(node)) {
        management.invoke(GOSSIPER, "reloadSeeds");
        String bean = NodeManagement.STORAGE_SERVICE;
        Collection<?> live = (Collection<?>) management.attribute(bean, "LiveNodes");
        Map<?, ?> owners = (Map<?, ?>) management.attribute(bean, "TokenToEndpointMap");
        synchronized (this) {
          node.log().knows(those(hosts, live), those(hosts, owners.values()));
        }
      } catch (IOException | IllegalStateException ignored) {
        // It ended, is held or cannot tell: who waits for it says so.
      }
    }
  }

  private static Set<String> those(Set<String> hosts, Collection<?> known) {
    return hosts.stream().filter(known::contains).collect(Collectors.toSet());
  }

  /** What each node lacks to be up, in words. */
  private static String missing(List<LabNode> expected) {
    List<String> missing = new ArrayList<>();
    for (LabNode node : expected) {
      if (!node.log().listening()) {
        missing.add("node %d does not serve clients".formatted(node.index()));
      }
      for (LabNode other : expected) {
        if (!sees(node, other)) {
          missing.add("node %d does not see node %d".formatted(node.index(), other.index()));
        }
      }
    }
    return String.join(", ", missing);
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the nodes were starting", e);
    }
  }
}
