/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.yaml.snakeyaml.Yaml;

/**
 * What Prometheus' jmx_exporter makes of a node's MBeans with the rules that a release ships, and
 * what its dashboard and alerts ask for. To be used in a module's directory.
 */
public final class ExportedMetrics {
  private static final Path FILES = Path.of("../../packaging/conf/monitoring");
  private static final Pattern NAME = Pattern.compile("\\b(?:curtail|cassandra)_\\w+");
  private static final String ENGINE = "curtail_engine_";

  private ExportedMetrics() {}

  /** Those of the engine that its dashboard shows and the alerts watch. */
  public static Set<String> usedOfEngine() throws IOException {
    return used().stream()
        .filter(name -> name.startsWith(ENGINE))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** All others that the dashboard shows and the alerts watch. */
  public static Set<String> usedOfServer() throws IOException {
    return used().stream()
        .filter(name -> !name.startsWith(ENGINE))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> used() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String file : new String[] {"dashboard.json", "engine-dashboard.json", "alerts.yaml"}) {
      // JSON is YAML; what is read must be whole.
      collect(new Yaml().load(Files.readString(FILES.resolve(file))), names);
    }
    return names;
  }

  private static void collect(Object node, Set<String> names) {
    if (node instanceof List<?> list) {
      list.forEach(element -> collect(element, names));
    } else if (node instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            if (key.equals("expr")) {
              NAME.matcher(value.toString()).results().forEach(name -> names.add(name.group()));
            } else {
              collect(value, names);
            }
          });
    }
  }

  /** Those that a node with these MBeans exports: the first rule that fits names a metric. */
  public static Set<String> of(Set<ObjectName> beans) throws IOException {
    Map<String, List<Map<String, Object>>> file =
        new Yaml().load(Files.readString(FILES.resolve("jmx-exporter.yaml")));
    List<Rule> rules = new ArrayList<>();
    for (Map<String, Object> rule : file.get("rules")) {
      rules.add(
          new Rule(Pattern.compile(rule.get("pattern").toString()), rule.get("name").toString()));
    }
    Set<String> names = new TreeSet<>();
    for (ObjectName bean : beans) {
      String text =
          bean.getDomain() + "<" + bean.getKeyPropertyListString().replace(",", ", ") + "><>Value";
      for (Rule rule : rules) {
        Matcher matcher = rule.pattern().matcher(text);
        if (matcher.matches()) {
          names.add(matcher.replaceFirst(rule.name()));
          break;
        }
      }
    }
    return names;
  }

  private record Rule(Pattern pattern, String name) {}
}
