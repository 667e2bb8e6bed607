/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.load.Dataset;
import io.curtail.lab.load.LabTable;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the table of a real node says of itself. */
class TestbedTest {
  @TempDir static Path directory;

  @Test
  void should_set_when_a_second_copy_of_a_read_is_sent() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder()
            .directory(directory.resolve("testbed"))
            .name("testbed")
            .nodes(1)
            .jit(Jit.C1)
            .build();
    ScenarioSettings settings = ScenarioSettings.builder().speculativeRetry("never").build();
    Dataset dataset = new Dataset(LabTable.ROWS, Optional.empty(), 300);
    try (Testbed testbed = Testbed.start(spec, dataset, settings, Progress.NONE)) {
      String retry =
          testbed
              .session()
              .execute(
                  "SELECT speculative_retry FROM system_schema.tables"
                      + " WHERE keyspace_name = 'curtail_lab' AND table_name = 'rows'")
              .one()
              .getString(0);
      assertThat(retry).isEqualToIgnoringCase("never");
    }
  }
}
