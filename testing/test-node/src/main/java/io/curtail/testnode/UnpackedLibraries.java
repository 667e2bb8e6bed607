/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder where a child node's libraries unpack native code, its {@code java.io.tmpdir}: a node
 * that is killed would leave it for ever. Not in the node's own directory, whose disk may be full.
 */
final class UnpackedLibraries {
  private UnpackedLibraries() {}

  /** A new one that is not there yet: the node makes it, which ends by itself. */
  static Path newName() {
    return Path.of(System.getProperty("java.io.tmpdir"), "curtail-node-" + UUID.randomUUID());
  }

  /**
   * Deletes it, if it is there; by the JDK alone, as a command that starts nodes need not have
   * Cassandra's libraries itself.
   */
  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
