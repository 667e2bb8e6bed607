/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * {@value #NAME}, in the directory of {@code cassandra.yaml} or where {@code -Dcurtail.config=FILE}
 * says. Re-read when it changes. Not thread-safe.
 */
final class SettingsFile {
  static final String NAME = "curtail.properties";
  static final String PROPERTY = "curtail.config";

  private final Path path;
  private FileTime readAt;
  private long readSize;

  SettingsFile(Path path) {
    this.path = path;
  }

  /** Finds the file; there may be none, which {@link #read} then says. */
  static SettingsFile find() {
    String told = System.getProperty(PROPERTY);
    if (told != null) {
      return new SettingsFile(Path.of(told));
    }
    URL onClassPath = SettingsFile.class.getClassLoader().getResource(NAME);
    if (onClassPath != null && onClassPath.getProtocol().equals("file")) {
      return new SettingsFile(Path.of(URI.create(onClassPath.toString())));
    }
    return new SettingsFile(Path.of(NAME));
  }

  boolean exists() {
    return Files.exists(path);
  }

  /** Returns what the file sets. */
  Map<String, String> read() throws IOException {
    if (!exists()) {
      throw new FileNotFoundException(
          "no " + NAME + " on the class path (conf/) and no -D" + PROPERTY + "=FILE");
    }
    readAt = Files.getLastModifiedTime(path);
    readSize = Files.size(path);
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(path)) {
      properties.load(in);
    }
    Map<String, String> values = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> values.put(name, properties.getProperty(name)));
    return values;
  }

  /**
   * Returns whether the file changed since it was last read. A file that is gone has not. One that
   * is written in place is empty at first, and has the rest within the same tick of its time.
   */
  boolean hasChanged() throws IOException {
    return exists()
        && (!Files.getLastModifiedTime(path).equals(readAt) || Files.size(path) != readSize);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
