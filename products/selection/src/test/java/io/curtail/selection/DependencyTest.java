/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.curtail.selection",
    importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyTest {
  @ArchTest
  static final ArchRule uses_java_only =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.curtail.selection..");

  @ArchTest
  static final ArchRule has_no_thread_clock_or_io =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.io..", "java.net..", "java.nio.file..", "java.time..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(
              Thread.class, java.util.Random.class, java.util.concurrent.ExecutorService.class)
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");
}
