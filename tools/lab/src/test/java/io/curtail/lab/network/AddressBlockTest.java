/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class AddressBlockTest {
  @Property
  void should_give_nodes_and_clients_different_addresses_within_their_zone(
      @ForAll @IntRange(min = 1, max = 12) int nodes,
      @ForAll @IntRange(min = 1, max = 3) int zones,
      @ForAll @IntRange(min = 1, max = 254) int third) {
    AddressBlock block = new AddressBlock(77, third);
    Set<String> seen = new HashSet<>(Set.of(block.prefix() + ".254"));
    for (int index = 1; index <= nodes; index++) {
      String address = block.node(index, zones);
      assertThat(seen.add(address)).isTrue();
      assertThat(zoneHolding(address, block)).isEqualTo(AddressBlock.zoneOf(index, zones));
    }
    for (int zone = 0; zone < zones; zone++) {
      String address = block.client(zone);
      assertThat(seen.add(address)).isTrue();
      assertThat(zoneHolding(address, block)).isEqualTo(zone);
    }
  }

  /** Reads the mask of the zone's prefix, as the network's rules do. */
  private static int zoneHolding(String address, AddressBlock block) {
    for (int zone = 0; zone < 3; zone++) {
      String prefix = block.zone(zone);
      int length = Integer.parseInt(prefix.substring(prefix.indexOf('/') + 1));
      int mask = -1 << (32 - length);
      if ((bits(address) & mask) == bits(prefix.substring(0, prefix.indexOf('/')))) {
        return zone;
      }
    }
    throw new AssertionError(address + " is in no zone");
  }

  private static int bits(String address) {
    return java.nio.ByteBuffer.wrap(AddressBlock.parse(address).getAddress()).getInt();
  }
}
