/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.cli.output.ReportOptions;
import io.curtail.lab.cluster.Home;
import io.curtail.site.Site;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code curtail site}: the pages of this project as a site. */
@Command(
    name = "site",
    description = "Makes a site of the pages in docs/ and the Javadoc of what a user installs.")
final class SiteCommand implements Callable<Integer> {
  @Mixin private final ReportOptions output = new ReportOptions("curtail-out/site");

  /** What the command finds, for programs. */
  record Written(String index) {}

  @Override
  public Integer call() throws IOException {
    output.requireWritable();
    Home home = Home.find();
    Site site = new Site(home.root(), output.folder());
    site.writePages();
    output.progress("pages written, now the Javadoc");
    site.writeJavadoc(classPath(home));
    Path index = output.folder().resolve("index.html").toAbsolutePath();
    output.print(new Written(index.toString()), () -> index + System.lineSeparator());
    return 0;
  }

  /** What the launcher runs with, and the jars of a node. */
  private static List<Path> classPath(Home home) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      jars.add(Path.of(entry));
    }
    jars.addAll(home.nodeJars());
    return jars;
  }
}
