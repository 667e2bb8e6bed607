/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Follows how much disk each of some nodes takes. Used by one thread. */
final class DiskPeak {
  private final List<LabNode> nodes;
  private final long[] first;
  private final long[] most;
  private long[] latest;

  DiskPeak(List<LabNode> nodes) throws IOException {
    this.nodes = List.copyOf(nodes);
    first = sizes();
    most = first.clone();
    latest = first;
  }

  /** Looks again. */
  void look() throws IOException {
    latest = sizes();
    Arrays.setAll(most, i -> Math.max(most[i], latest[i]));
  }

  /** The most that a node's data had, in bytes, beyond what they had at first and have now. */
  long extraBytes(LabNode node) {
    int i = nodes.indexOf(node);
    return most[i] - Math.max(first[i], latest[i]);
  }

  private long[] sizes() throws IOException {
    long[] sizes = new long[nodes.size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = nodes.get(i).isAlive() ? size(nodes.get(i).dataDirectory()) : 0;
    }
    return sizes;
  }

  /** A file with several names counts once, one that goes meanwhile may not. */
  private static long size(Path directory) throws IOException {
    long[] sum = {0};
    Set<Object> seen = new HashSet<>();
    if (Files.exists(directory)) {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sum[0] += seen.add(attributes.fileKey()) ? attributes.size() : 0;
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
    }
    return sum[0];
  }
}
