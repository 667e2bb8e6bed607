/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.trials.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The directory that a benchmark measures in. */
class EngineTrialTest {
  private final EngineTrial trial = CommandLine.populateCommand(new EngineTrial());
  private final List<Path> used = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  @Test
  void should_tell_where_it_is_when_measuring_fails() throws IOException {
    assertThatThrownBy(() -> trial.measured(this::fail, told::add)).hasMessage("the node is gone");
    assertThat(told).containsExactly("kept: " + used.get(0).getParent());
    assertThat(used.get(0)).exists();
    Directories.delete(used.get(0).getParent());
  }

  private Path fail(Path directory) throws IOException {
    measure(directory);
    throw new IOException("the node is gone");
  }

  @Test
  void should_be_deleted_when_all_is_measured() throws IOException {
    assertThat(trial.measured(this::measure, told::add).getParent()).doesNotExist();
    assertThat(told).isEmpty();
  }

  private Path measure(Path directory) throws IOException {
    used.add(directory);
    return Files.createDirectories(directory);
  }
}
