/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a product shows by CQL, JMX and metrics stands by its name on the page that tells of it. */
class ObservedNamesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final String SERVER = "products/server/src/main/java/io/curtail/server/";
  private static final String ENGINE = "products/engine/src/main/java/io/curtail/engine/";
  private static final String DRIVER = "products/driver/src/main/java/io/curtail/driver/";
  private static final String OF_SERVER = "docs/server/observe.md";
  private static final String OF_ENGINE = "docs/engine/operate.md";
  private static final String OF_DRIVER = "docs/driver/observe.md";

  /** The methods of a bean, attributes without what Java puts before them. */
  private static final String BEAN = "(?m)^  [\\w<>, ]+ (?:get|set|is)?(\\w+)\\(";

  private static final String CONSTANT = "[A-Z]\\(\"([\\w.-]+)\"";

  private static Stream<Arguments> sources() {
    return Stream.of(
        Arguments.of(SERVER + "Counts.java", "= count\\(\"(\\w+)\"", OF_SERVER),
        Arguments.of(SERVER + "ServerLoadTable.java", "row\\(rows, \"(\\w+)\"", OF_SERVER),
        Arguments.of(
            SERVER + "ReplicaScoresTable.java",
            "(?:flag|number|whole|count)\\(\\s*\"(\\w+)\"",
            OF_SERVER),
        Arguments.of(SERVER + "DecisionsTable.java", "Column\\(\"(\\w+)\"", OF_SERVER),
        Arguments.of(SERVER + "ServerMetrics.java", "registerGauge\\(\"(\\w+)\"", OF_SERVER),
        Arguments.of(SERVER + "PeerMetrics.java", " = \"(\\w+)\";", OF_SERVER),
        Arguments.of(SERVER + "CurtailMBean.java", BEAN, OF_SERVER),
        Arguments.of(
            ENGINE + "EngineMetrics.java",
            "(?:gauges\\.put|property|ticker|compared)\\(\\s*\"([A-Z]\\w+)\",",
            OF_ENGINE),
        Arguments.of(ENGINE + "EngineMXBean.java", BEAN, OF_ENGINE),
        Arguments.of(DRIVER + "WeightedNodeMetric.java", CONSTANT, OF_DRIVER),
        Arguments.of(DRIVER + "WeightedSessionMetric.java", CONSTANT, OF_DRIVER),
        Arguments.of(DRIVER + "HedgingNodeMetric.java", CONSTANT, OF_DRIVER),
        Arguments.of(DRIVER + "WeightedLeastLoadedMXBean.java", BEAN, OF_DRIVER));
  }

  @ParameterizedTest
  @MethodSource("sources")
  void should_find_each_name_that_an_operator_sees(String source, String name, String page)
      throws IOException {
    String text = Files.readString(PROJECT.resolve(page));
    List<String> names =
        Pattern.compile(name)
            .matcher(Files.readString(PROJECT.resolve(source)))
            .results()
            .map(result -> result.group(1))
            .toList();
    assertThat(names)
        .hasSizeGreaterThan(2)
        .allMatch(each -> text.contains("`" + each + "`") || text.contains("`" + each + "("));
  }
}
