/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import static io.curtail.waiting.Waiting.PATIENCE;

import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.file.Path;

/** Real nodes for tests of sessions. */
public final class ThreeNodes {
  private ThreeNodes() {}

  /** They wait as long for each other as the tests do for them. */
  public static Cluster start(Path directory, String name) throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder()
            .directory(directory.resolve(name))
            .name(name)
            .nodes(3)
            .requestTimeout(PATIENCE)
            .build();
    return Cluster.start(spec, Progress.NONE);
  }
}
