/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import io.curtail.campaign.Progress;
import io.curtail.engine.trials.TrialNode;
import io.curtail.lab.cluster.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all trials of the engine take. */
public final class EngineTrial {
  @Option(
      names = "--parameter",
      paramLabel = "NAME=VALUE",
      showDefaultValue = Visibility.NEVER,
      description = "A parameter of the memtable, such as merge=java; may be repeated.")
  private Map<String, String> parameters = Map.of();

  @Mixin private DirectoryOption directory;

  /**
   * A directory that is not there yet.
   *
   * @throws IllegalArgumentException if the user's is
   */
  public Path directory() throws IOException {
    return directory.fresh();
  }

  /**
   * Deletes the directory if it is of the command's own, or tells where it is.
   *
   * @param mayTellMore whether what is in it, if anything, is kept
   */
  public void settle(boolean mayTellMore, Progress progress) throws IOException {
    directory.settle(mayTellMore, progress);
  }

  /** What is measured in a directory. */
  public interface Measurement<T> {
    /** Measures it; the directory is not there yet. */
    T in(Path directory) throws IOException;
  }

  /** Measures in the directory, and settles it; it may tell more if that fails. */
  public <T> T measured(Measurement<T> measurement, Progress progress) throws IOException {
    Path fresh = directory();
    boolean failed = true;
    try {
      T result = measurement.in(fresh);
      failed = false;
      return result;
    } finally {
      settle(failed, progress);
    }
  }

  /**
   * What starts nodes with the parameters that the user gave.
   *
   * @throws IllegalStateException if the engine is not on the class path
   */
  public TrialNode node() throws IOException {
    return new TrialNode(classPath(), parameters);
  }

  /**
   * Refuses a parameter that the command sets itself.
   *
   * @throws IllegalArgumentException if the user gave it
   */
  public void refuse(String parameter, String instead) {
    if (parameters.containsKey(parameter)) {
      throw new IllegalArgumentException("--parameter: " + parameter + ": " + instead);
    }
  }

  /** Of the memtable, as the user gave them. */
  public Map<String, String> parameters() {
    return parameters;
  }

  private static List<Path> classPath() throws IOException {
    List<Path> jars = new ArrayList<>(EngineJars.trials());
    jars.addAll(Home.find().nodeJars());
    return jars;
  }
}
