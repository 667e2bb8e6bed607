/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.LogSegment;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * A file in each of Cassandra's data directories that says where this node's RocksDB is, as long as
 * it may have rows: so a start without RocksDB's directory, or without the engine's configuration,
 * is noticed, and no table is empty because of it.
 */
public final class NodeMarker {
  /** Of the file. */
  public static final String NAME = "curtail-rocksdb.properties";

  private static final String DIRECTORY = "directory";
  private static final String IDENTITY = "identity";

  /** Where RocksDB is. */
  public final Path directory;

  private final String identity;
  private final Path file;

  private NodeMarker(Path directory, String identity, Path file) {
    this.directory = directory;
    this.identity = identity;
    this.file = file;
  }

  /** What the node's data directories say; null if there is nothing of the node in RocksDB. */
  public static NodeMarker read() throws IOException {
    for (Path file : files()) {
      if (Files.exists(file)) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
          properties.load(in);
        }
        return new NodeMarker(
            Path.of(properties.getProperty(DIRECTORY, "?")),
            properties.getProperty(IDENTITY, "?"),
            file);
      }
    }
    return null;
  }

  /**
   * Refuses a directory that is not the one with this node's rows.
   *
   * @throws IOException that says what to do
   */
  void check(Path given) throws IOException {
    if (!Files.exists(given.resolve("CURRENT"))) {
      throw new IOException(
          "this node has rows in "
              + directory
              + ", as "
              + file
              + " says, but there is no RocksDB in "
              + given
              + ": mount it there or set path to where it is; if the rows are lost for good, delete"
              + " that file in each data directory, start and repair the node: until that is done"
              + " it answers as if they had never been");
    }
    String found = identity(given);
    if (!found.equals(identity)) {
      throw new IOException(
          given
              + " has another RocksDB ("
              + found
              + ") than "
              + file
              + " says ("
              + identity
              + "): set path to where this node's is; if this one is its replacement, write its"
              + " identity into that file in each data directory and repair the node");
    }
  }

  /** Writes the file, to all data directories; it is on the disk when this returns. */
  static void write(Path directory) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(DIRECTORY, directory.toString());
    properties.setProperty(IDENTITY, identity(directory));
    StringWriter text = new StringWriter();
    properties.store(text, "Tables of this node have rows in RocksDB; kept by curtail-engine");
    for (Path file : files()) {
      Files.createDirectories(file.getParent());
      Path unfinished = file.resolveSibling(NAME + ".new");
      try (FileChannel out =
          FileChannel.open(
              unfinished,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      LogSegment.syncDirectory(file.getParent());
    }
  }

  /** As {@link #write}, if a data directory lacks the file: one that was added since. */
  static void writeWhereMissing(Path directory) throws IOException {
    if (!files().stream().allMatch(Files::exists)) {
      write(directory);
    }
  }

  /** No table of the node has rows in RocksDB any more. */
  static void delete() throws IOException {
    for (Path file : files()) {
      Files.deleteIfExists(file);
    }
  }

  private static String identity(Path directory) throws IOException {
    return Files.readString(directory.resolve("IDENTITY")).trim();
  }

  private static List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (String location : DatabaseDescriptor.getAllDataFileLocations()) {
      files.add(Path.of(location, NAME));
    }
    return files;
  }
}
