/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The modules for who works on Curtail, and what each may use, are those of the build. */
class ModulesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

  /** What the table calls the artifacts that it names wherever they are used. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "cassandra-all", "Cassandra",
          "rocksdbjni", "RocksDB",
          "java-driver-core", "the driver",
          "commonmark", "commonmark");

  private static final String CURTAIL = "curtail-";

  /** What the code of a module may use, and what its tests may use besides. */
  private record Uses(Set<String> code, Set<String> tests) {}

  @Test
  void should_list_each_module_with_what_it_uses_and_no_other() throws Exception {
    Map<String, Uses> built = new TreeMap<>();
    for (String module : modules()) {
      built.put(module, built(module));
    }
    assertThat(listed()).containsExactlyInAnyOrderEntriesOf(built);
  }

  private static Map<String, Uses> listed() throws IOException {
    Map<String, Uses> listed = new TreeMap<>();
    String group = "";
    for (String line : Files.readAllLines(PROJECT.resolve("CONTRIBUTING.md"))) {
      if (line.startsWith("| **`")) {
        group = line.replaceFirst("^\\| \\*\\*`(\\w+/)`.*", "$1");
      } else if (line.isBlank()) {
        group = "";
      } else if (!group.isEmpty()) {
        List<String> cells = List.of(line.split("\\|", -1));
        Uses uses = new Uses(used(cells.get(3)), used(cells.get(4)));
        for (String name : names(cells.get(1))) {
          listed.put(group + name, uses);
        }
      }
    }
    return listed;
  }

  /** Modules and {@link #LIBRARIES}; of other libraries a cell says what it likes. */
  private static Set<String> used(String cell) {
    Set<String> used = new TreeSet<>(names(cell));
    Arrays.stream(cell.split(","))
        .map(String::strip)
        .filter(LIBRARIES::containsValue)
        .forEach(used::add);
    return used;
  }

  private static Set<String> names(String cell) {
    Set<String> names = new TreeSet<>();
    Pattern.compile("`([\\w-]+)`")
        .matcher(cell)
        .results()
        .forEach(name -> names.add(name.group(1)));
    return names;
  }

  /** Every folder with a POM in one of the groups. */
  private static Set<String> modules() throws IOException {
    Set<String> modules = new TreeSet<>();
    for (String group : Set.of("products", "tools", "testing")) {
      try (Stream<Path> folders = Files.list(PROJECT.resolve(group))) {
        folders
            .filter(folder -> Files.exists(folder.resolve("pom.xml")))
            .forEach(folder -> modules.add(group + "/" + folder.getFileName()));
      }
    }
    return modules;
  }

  /** What is on the module's class paths by its own POM. */
  private static Uses built(String module) throws Exception {
    Uses uses = new Uses(new TreeSet<>(), new TreeSet<>());
    try (InputStream pom = Files.newInputStream(PROJECT.resolve(module).resolve("pom.xml"))) {
      Element project =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom).getDocumentElement();
      NodeList all = project.getElementsByTagName("dependency");
      for (int i = 0; i < all.getLength(); i++) {
        Element dependency = (Element) all.item(i);
        String artifact = text(dependency, "artifactId");
        boolean ours = artifact.startsWith(CURTAIL);
        if (dependency.getParentNode().getParentNode() == project
            && !text(dependency, "type").equals("pom")
            && (ours || LIBRARIES.containsKey(artifact))) {
          boolean tests = text(dependency, "scope").equals("test");
          (tests ? uses.tests : uses.code)
              .add(ours ? artifact.substring(CURTAIL.length()) : LIBRARIES.get(artifact));
        }
      }
    }
    return uses;
  }

  private static String text(Element dependency, String name) {
    for (Node node = dependency.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent().strip();
      }
    }
    return "";
  }
}
