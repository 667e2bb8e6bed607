/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.Home;
import io.curtail.lab.cluster.ServerMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** {@code curtail-server} in nodes. */
final class PlugIn {
  static final String SNITCH = "io.curtail.server.CurtailSnitch";

  /** What the snitch stands before. */
  static final String TOPOLOGY = "GossipingPropertyFileSnitch";

  private static final String QUERY_HANDLER = "io.curtail.server.CurtailQueryHandler";

  private PlugIn() {}

  /** Its jar, and the settings that it starts with. */
  static void add(ClusterSpecBuilder nodes, Map<String, String> settings) throws IOException {
    StringBuilder lines = new StringBuilder("delegate_snitch=" + TOPOLOGY + "\n");
    settings.forEach((name, value) -> lines.append(name + "=" + value + "\n"));
    Path file = Files.createTempFile("curtail", ".properties");
    file.toFile().deleteOnExit();
    Files.writeString(file, lines);
    nodes
        .addClassPath(Home.find().jar("products/server"))
        .addJvmOptions("-Dcurtail.config=" + file);
  }

  /**
   * Nodes of an experiment on clients: with all that an operator installs.
   *
   * @param mode of all of them; stock if there is none
   */
  static void add(ClusterSpecBuilder nodes, Optional<ServerMode> mode) throws IOException {
    if (mode.isPresent()) {
      add(nodes, mode.get().settings());
      nodes
          .addJvmOptions("-Dcassandra.custom_query_handler_class=" + QUERY_HANDLER)
          .addYaml("endpoint_snitch", SNITCH)
          .addYaml("dynamic_snitch", false);
    }
  }

  /** The same for the report. */
  static String describe(Optional<ServerMode> mode) {
    return mode.map(
            each ->
                "run curtail-server in every arm, as "
                    + new TreeMap<>(each.settings())
                    + "; sessions of AdaptivePolicy hear what nodes report, and mark second copies")
        .orElse("are stock");
  }
}
