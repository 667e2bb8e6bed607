/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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

/** The packages of the engine use each other one way, as the {@code package-info} of each says. */
@AnalyzeClasses(packages = "io.curtail.engine", importOptions = DoNotIncludeTests.class)
class PackagesTest {
  private static final String ENGINE = "io.curtail.engine";

  /** By package, which others it may use; the one above all of them may use all. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "codec", Set.of(),
          "compare", Set.of("codec", "options", "store", "table"),
          "log", Set.of(),
          "operation", Set.of("codec", "log", "options", "snapshot", "store", "table"),
          "options", Set.of("log"),
          "snapshot", Set.of("codec", "log", "store", "table"),
          "store", Set.of("codec", "log", "options"),
          "table", Set.of("codec", "log", "store"));

  @ArchTest
  static final ArchRule codec_knows_nothing_of_rocksdb =
      noClasses()
          .that()
          .resideInAPackage(ENGINE + ".codec")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.rocksdb..");

  @ArchTest
  static void should_use_only_what_is_below(JavaClasses engine) {
    MAY_USE.forEach((name, others) -> rule(name, others).check(engine));
  }

  private static ArchRule rule(String name, Set<String> others) {
    String[] allowed =
        Stream.concat(Stream.of(name), others.stream())
            .map(each -> ENGINE + "." + each)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(ENGINE + "." + name)
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackage(ENGINE + "..").or(resideInAnyPackage(allowed)));
  }

  @ArchTest
  static void should_have_a_rule_for_each_package(JavaClasses engine) {
    Set<String> packages =
        engine.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(ENGINE + "."))
            .map(name -> name.substring(ENGINE.length() + 1))
            .collect(Collectors.toSet());
    assertThat(packages).isEqualTo(MAY_USE.keySet());
  }
}
