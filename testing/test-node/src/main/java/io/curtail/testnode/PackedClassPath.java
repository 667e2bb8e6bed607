/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The class path of this JVM without directories, which class-data sharing does not take. */
public final class PackedClassPath {
  private PackedClassPath() {}

  /** Packs each directory into a jar in a folder, which exists; the order stays. */
  public static List<Path> in(Path folder) throws IOException {
    List<Path> packed = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.isEmpty()) { // the working directory, of which nobody means the classes
        continue;
      }
      Path path = Path.of(entry);
      packed.add(
          Files.isDirectory(path) ? pack(path, folder.resolve(packed.size() + ".jar")) : path);
    }
    return packed;
  }

  private static Path pack(Path directory, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream archive = new JarOutputStream(out);
        Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        archive.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
        Files.copy(file, archive);
        archive.closeEntry();
      }
    }
    return jar;
  }
}
