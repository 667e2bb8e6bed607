/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import io.curtail.campaign.Progress;
import io.curtail.engine.trials.Directories;
import io.curtail.lab.cluster.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Where nodes keep their files. */
public final class DirectoryOption {
  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the nodes keep their files; under .curtail if not given.")
  private Path directory;

  private Path own;

  /**
   * Returns the one that the user gave, or one of its own; it is not there yet.
   *
   * @throws IllegalArgumentException if the user's is
   */
  public Path fresh() throws IOException {
    if (isGiven()) {
      Path given = directory();
      if (Files.exists(given)) {
        throw new IllegalArgumentException("--directory: " + given + " exists already");
      }
      return given;
    }
    Path trials = Home.find().root().resolve(".curtail/trials");
    Files.createDirectories(trials);
    own = Files.createTempDirectory(trials, "node");
    return own.resolve("files");
  }

  /**
   * Deletes the directory of its own, if there is one, or tells where it is.
   *
   * @param mayTellMore whether what is in it, if anything, is kept
   */
  public void settle(boolean mayTellMore, Progress progress) throws IOException {
    if (own == null) {
      return;
    }
    if (mayTellMore && !isEmpty(own)) {
      progress.report("kept: " + own);
    } else {
      Directories.delete(own);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Whether the user named one. */
  public boolean isGiven() {
    return directory != null;
  }

  /** Relative paths are seen from where the user stands; null if it was not given. */
  public Path directory() {
    return directory == null ? null : directory.toAbsolutePath().normalize();
  }
}
