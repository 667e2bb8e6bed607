/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.curtail.lab.load.Arrivals;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedArmTest {
  private static final Arrivals.Arrival READ = new Arrivals.Arrival(1, 7, true, 0);
  private static final Arrivals.Arrival WRITE = new Arrivals.Arrival(2, 7, false, 0);

  @Test
  void should_know_reads_that_one_replica_answers() {
    Arrivals reads = new Arrivals(List.of(READ, READ));
    assertThat(SimulatedArm.knows(ConsistencyLevel.ONE, reads)).isTrue();
    assertThat(SimulatedArm.knows(ConsistencyLevel.LOCAL_ONE, reads)).isTrue();
  }

  /** It would take a write, or a read of several replicas, for a read of one. */
  @Test
  void should_not_know_writes_nor_reads_of_several_replicas() {
    Arrivals both = new Arrivals(List.of(READ, WRITE));
    assertThat(SimulatedArm.knows(ConsistencyLevel.ONE, both)).isFalse();
    Arrivals reads = new Arrivals(List.of(READ));
    assertThat(SimulatedArm.knows(ConsistencyLevel.QUORUM, reads)).isFalse();
    assertThat(SimulatedArm.knows(ConsistencyLevel.TWO, reads)).isFalse();
  }
}
