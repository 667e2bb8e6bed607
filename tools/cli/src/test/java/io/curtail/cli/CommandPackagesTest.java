/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Packages of commands use each other one way, as the {@code package-info} of each says. */
@AnalyzeClasses(packages = "io.curtail.cli", importOptions = DoNotIncludeTests.class)
class CommandPackagesTest {
  private static final String CLI = "io.curtail.cli";

  private static final Set<String> SHARED = Set.of("option", "output");

  /** By package, which others it may use; the one above all of them may use all. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "bench", SHARED,
          "engine", SHARED,
          "lab", SHARED,
          "option", Set.of(),
          "output", Set.of(),
          "simulate", SHARED);

  @ArchTest
  static void should_use_only_what_is_below(JavaClasses cli) {
    MAY_USE.forEach((name, others) -> rule(name, others).check(cli));
  }

  private static ArchRule rule(String name, Set<String> others) {
    String[] allowed =
        Stream.concat(Stream.of(name), others.stream())
            .map(each -> CLI + "." + each)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(CLI + "." + name)
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackage(CLI + "..").or(resideInAnyPackage(allowed)));
  }

  @ArchTest
  static void should_have_a_rule_for_each_package(JavaClasses cli) {
    Set<String> packages =
        cli.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(CLI + "."))
            .map(name -> name.substring(CLI.length() + 1))
            .collect(Collectors.toSet());
    assertThat(packages).isEqualTo(MAY_USE.keySet());
  }
}
