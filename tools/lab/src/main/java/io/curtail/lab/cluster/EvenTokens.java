/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.math.BigInteger;

/**
 * One token a node, evenly spaced over the ring of Murmur3Partitioner. As the zones take turns
 * along the ring, each group of replicas spans them all.
 */
final class EvenTokens {
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

  private EvenTokens() {}

  /**
   * @param index of the node, from 1
   */
  static long of(int index, int nodes) {
    BigInteger step = RING.divide(BigInteger.valueOf(nodes));
    // The smallest long is the partitioner's own minimum and no key's token.
    return BigInteger.valueOf(Long.MIN_VALUE + 1)
        .add(step.multiply(BigInteger.valueOf(index - 1L)))
        .longValueExact();
  }
}
