/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The live nodes of the local data centre at one time. Immutable; replaced as a whole when a node
 * comes or goes, so that query plans neither lock nor copy.
 */
final class LocalNodes {
  static final LocalNodes NONE = new LocalNodes(List.of());

  private final TrackedNode[] nodes;
  private final IdentityHashMap<Node, TrackedNode> byNode;

  /** The strides that visit every node once: those with no divisor in common with the size. */
  private final int[] strides;

  private final TrackedNode[] near;
  private final TrackedNode[] far;

  LocalNodes(Collection<TrackedNode> tracked) {
    nodes = tracked.toArray(new TrackedNode[0]);
    byNode = new IdentityHashMap<>(nodes.length);
    for (TrackedNode node : nodes) {
      byNode.put(node.node, node);
    }
    int size = nodes.length;
    strides = IntStream.rangeClosed(1, Math.max(1, size)).filter(s -> gcd(s, size) == 1).toArray();
    near = part(node -> node.inLocalRack);
    far = part(node -> !node.inLocalRack);
  }

  private TrackedNode[] part(Predicate<TrackedNode> which) {
    return Arrays.stream(nodes).filter(which).toArray(TrackedNode[]::new);
  }

  /** Those of the local rack; all if none is set. Not to be changed. */
  TrackedNode[] near() {
    return near;
  }

  /** Those of other racks. Not to be changed. */
  TrackedNode[] far() {
    return far;
  }

  int size() {
    return nodes.length;
  }

  TrackedNode get(int index) {
    return nodes[index];
  }

  /** Returns null if the node is not live or not local. */
  TrackedNode get(Node node) {
    return byNode.get(node);
  }

  /** Where a walk over all nodes begins that 32 random bits choose. */
  int start(int walk) {
    return scale(walk, nodes.length);
  }

  /** The stride of that walk. */
  int stride(int walk) {
    int other = Planner.nextRandom(Planner.nextRandom(walk));
    return strides[scale(other, strides.length)];
  }

  /** The node after another in a walk. */
  int next(int at, int stride) {
    int next = at + stride;
    return next < nodes.length ? next : next - nodes.length;
  }

  /** A number from 0 to {@code bound - 1}, uniform if the 32 bits of {@code random} are. */
  static int scale(int random, int bound) {
    return (int) ((Integer.toUnsignedLong(random) * bound) >>> 32);
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
