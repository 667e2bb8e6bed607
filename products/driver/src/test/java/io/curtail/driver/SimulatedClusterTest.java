/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulatedClusterTest {
  @Test
  void should_have_addresses_of_its_own_when_another_has_the_first() {
    try (SimulatedCluster one = new SimulatedCluster(2);
        SimulatedCluster other = new SimulatedCluster(2)) {
      assertThat(other.address(0, 0)).isNotEqualTo(one.address(0, 0));
      assertThat(other.address(0, 1)).isNotEqualTo(one.address(0, 1));
    }
  }
}
