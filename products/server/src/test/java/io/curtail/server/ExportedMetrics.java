/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/** What Prometheus' jmx_exporter makes of a node's MBeans with the rules that a release ships. */
final class ExportedMetrics {
  private static final Path FILES = Path.of("../../packaging/conf/monitoring");
  private static final Pattern NAME = Pattern.compile("\\b(?:curtail|cassandra)_[A-Za-z_]+");

  private ExportedMetrics() {}

  /** Those that the dashboard shows and the alerts watch. */
  static Set<String> used() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String file : new String[] {"dashboard.json", "alerts.yaml"}) {
      // JSON is YAML; what is read must be whole.
      for (JsonNode expression :
          new YAMLMapper().readTree(FILES.resolve(file).toFile()).findValues("expr")) {
        Matcher name = NAME.matcher(expression.asText());
        while (name.find()) {
          names.add(name.group());
        }
      }
    }
    return names;
  }

  /** Those that a node with these MBeans exports: the first rule that fits names a metric. */
  static Set<String> of(Set<ObjectName> beans) throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    new YAMLMapper()
        .readTree(Files.readString(FILES.resolve("jmx-exporter.yaml")))
        .at("/rules")
        .forEach(rules::add);
    Set<String> names = new TreeSet<>();
    for (ObjectName bean : beans) {
      String text =
          bean.getDomain() + "<" + bean.getKeyPropertyListString().replace(",", ", ") + "><>Value";
      for (JsonNode rule : rules) {
        Matcher matcher = Pattern.compile(rule.get("pattern").asText()).matcher(text);
        if (matcher.matches()) {
          names.add(matcher.replaceFirst(rule.get("name").asText()));
          break;
        }
      }
    }
    return names;
  }
}
