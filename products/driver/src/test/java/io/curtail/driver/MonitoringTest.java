/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard and the alerts of a release, by what a session exports to Prometheus. */
class MonitoringTest {
  private static final Path FILES = Path.of("../../packaging/conf/monitoring");
  private static final Pattern NAME = Pattern.compile("\\bcassandra_[a-z_]+");

  @Test
  void should_export_what_the_dashboard_shows_and_the_alerts_watch() throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (SimulatedCluster cluster = new SimulatedCluster(3)) {
      CqlSession session =
          cluster.connect(
              registry,
              config ->
                  SimulatedCluster.hedged(config)
                      .withClass(
                          DefaultDriverOption.REQUEST_THROTTLER_CLASS, AdaptiveThrottler.class)
                      .withBoolean(WeightedOption.METRICS, true)
                      .withString(
                          DefaultDriverOption.METRICS_FACTORY_CLASS, "MicrometerMetricsFactory")
                      .withString(
                          DefaultDriverOption.METRICS_ID_GENERATOR_CLASS,
                          "TaggingMetricIdGenerator")
                      .withString(DefaultDriverOption.METRICS_ID_GENERATOR_PREFIX, "cassandra")
                      .withStringList(
                          DefaultDriverOption.METRICS_SESSION_ENABLED, List.of("cql-requests")));
      session.execute("SELECT v FROM t");

      Set<String> used = used();
      assertThat(used).hasSizeGreaterThan(12);
      eventually(() -> assertThat(names(registry.scrape())).containsAll(used));
      String line = line(registry.scrape(), "cassandra_session_load_balancing_plans");
      assertThat(line).contains("session=\"" + session.getName() + "\"").endsWith("1.0");
      assertThat(line(registry.scrape(), "cassandra_nodes_load_balancing_first_choices"))
          .contains("node=\"");

      session.close();
      assertThat(names(registry.scrape()))
          .as("nothing is left of ours")
          .noneMatch(name -> name.matches(".*_(load_balancing|backlog|hedging)_.*"));
    }
  }

  private static Set<String> used() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String file : new String[] {"driver-dashboard.json", "driver-alerts.yaml"}) {
      // JSON is YAML; what is read must be whole.
      for (JsonNode expression :
          new YAMLMapper().readTree(FILES.resolve(file).toFile()).findValues("expr")) {
        names.addAll(names(expression.asText()));
      }
    }
    return names;
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    Matcher name = NAME.matcher(text);
    while (name.find()) {
      names.add(name.group());
    }
    return names;
  }

  private static String line(String exported, String name) {
    return exported.lines().filter(line -> line.startsWith(name + "{")).findFirst().orElseThrow();
  }
}
