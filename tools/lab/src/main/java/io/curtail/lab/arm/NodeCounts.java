/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.load.LabTable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What nodes count since they started, summed over a testbed: Cassandra its {@code
 * speculative_retry}, and {@code curtail-server}, where it is, what its {@code curtail.server_load}
 * shows.
 */
final class NodeCounts {
  private static final String CURTAIL = "io.curtail:type=Curtail";

  /** Curtail holds some of them back. */
  private static final String RETRIES = "cassandra_speculative_retries";

  private NodeCounts() {}

  static Map<String, Long> of(Testbed testbed) throws IOException {
    String retries =
        "org.apache.cassandra.metrics:type=Table,keyspace=%s,scope=%s,name=SpeculativeRetries"
            .formatted(LabTable.KEYSPACE, testbed.dataset().table().tableName());
    Map<String, Long> all = new LinkedHashMap<>();
    for (LabNode node : testbed.cluster().nodes()) {
      NodeManagement management = testbed.management(node);
      all.merge(RETRIES, (Long) management.attribute(retries, "Count"), Long::sum);
      if (management.has(CURTAIL)) {
        Map<?, ?> counts = (Map<?, ?>) management.attribute(CURTAIL, "Counts");
        counts.forEach((name, count) -> all.merge((String) name, (Long) count, Long::sum));
      }
    }
    return all;
  }
}
