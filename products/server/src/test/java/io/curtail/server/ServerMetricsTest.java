/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ExportedMetrics;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The dashboard and the alerts of a release, by what a node counts. */
class ServerMetricsTest {
  /**
   * Who tries {@code passing = observe} or second copies looks for what these would do, or cost.
   */
  @Test
  void should_show_what_becomes_of_reads_that_would_wait_and_of_their_copies() throws IOException {
    List<String> counts =
        new Counts()
            .all().keySet().stream()
                .filter(name -> name.matches("(copies|retries|passed|kept|sent)_.*|would_pass"))
                .map(name -> "curtail_" + ServerMetrics.camel(name))
                .collect(Collectors.toList());
    assertThat(counts).hasSizeGreaterThan(12);
    assertThat(ExportedMetrics.usedOfServer()).containsAll(counts).contains("curtail_Passing");
  }
}
