/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.network.AddressBlock;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class EvenTokensTest {
  @Property
  void should_give_every_node_the_same_share_of_the_ring(
      @ForAll @IntRange(min = 2, max = 12) int nodes) {
    List<BigInteger> tokens =
        IntStream.rangeClosed(1, nodes)
            .mapToObj(index -> BigInteger.valueOf(EvenTokens.of(index, nodes)))
            .toList();
    BigInteger share = BigInteger.ONE.shiftLeft(64).divide(BigInteger.valueOf(nodes));
    for (int i = 1; i < nodes; i++) {
      assertThat(tokens.get(i).subtract(tokens.get(i - 1))).isEqualTo(share);
    }
    assertThat(tokens.get(0)).isGreaterThan(BigInteger.valueOf(Long.MIN_VALUE));
  }

  @Property
  void should_span_all_zones_with_each_three_neighbours_when_nodes_divide_evenly(
      @ForAll @IntRange(min = 1, max = 4) int nodesPerZone) {
    int nodes = 3 * nodesPerZone;
    for (int first = 1; first <= nodes; first++) {
      Set<Integer> zones = new HashSet<>();
      for (int replica = 0; replica < 3; replica++) {
        zones.add(AddressBlock.zoneOf((first - 1 + replica) % nodes + 1, 3));
      }
      assertThat(zones).hasSize(3);
    }
  }
}
