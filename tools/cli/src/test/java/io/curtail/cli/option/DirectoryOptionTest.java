/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The directory that a command makes where the user gives none. */
class DirectoryOptionTest {
  private final DirectoryOption option = new DirectoryOption();
  private final List<String> told = new ArrayList<>();

  @Test
  void should_keep_a_directory_that_may_tell_more_and_delete_it_else() throws IOException {
    Path nodes = option.fresh();
    Files.writeString(Files.createDirectories(nodes.resolve("logs")).resolve("system.log"), "");
    option.settle(true, told::add);
    assertThat(told).containsExactly("kept: " + nodes.getParent());
    assertThat(nodes.resolve("logs/system.log")).exists();
    option.settle(false, told::add);
    assertThat(nodes.getParent()).doesNotExist();
    assertThat(told).hasSize(1);
  }

  @Test
  void should_delete_a_directory_that_nothing_is_in() throws IOException {
    Path nodes = option.fresh();
    option.settle(true, told::add);
    assertThat(nodes.getParent()).doesNotExist();
    assertThat(told).isEmpty();
  }
}
