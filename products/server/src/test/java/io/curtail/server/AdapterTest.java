/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What another release of Cassandra may have changed is named in the adapter. */
@AnalyzeClasses(packages = "io.curtail.server", importOptions = DoNotIncludeTests.class)
class AdapterTest {
  @ArchTest
  static final ArchRule internals_are_named_in_the_adapter =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.Cassandra50.*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.cassandra.net..",
              "org.apache.cassandra.gms..",
              "org.apache.cassandra.concurrent..",
              "org.apache.cassandra.config..",
              "org.apache.cassandra.metrics..",
              "org.apache.cassandra.service.reads..",
              "org.apache.cassandra.utils.concurrent..");
}
