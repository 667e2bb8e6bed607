/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.snapshot;

import io.curtail.engine.store.Family;
import io.curtail.engine.store.StorageErrors;
import io.curtail.engine.table.TableStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link SnapshotDatabase} of a table in {@code snapshots/<name>/rocksdb} of a data directory of
 * the table, where {@code nodetool listsnapshots} and {@code clearsnapshot} find them.
 *
 * <p>Cassandra asks for the snapshot of a truncation when the data has gone from the memtable; so
 * the links are made when the truncation begins, and get their name when Cassandra gives it.
 *
 * <p>What RocksDB cannot do is an {@link org.apache.cassandra.io.FSError}, and what the file system
 * cannot an {@link UncheckedIOException}. For one thread a table.
 */
public final class Snapshots {
  private static final Logger logger = LoggerFactory.getLogger(Snapshots.class);

  private static final String UNNAMED = "rocksdb-before-truncation-";

  private Snapshots() {}

  /** Links the table's files as they are now, under the name of a snapshot. */
  public static void take(TableStore store, TableMetadata metadata, String snapshot) {
    try (Family.Use use = store.use()) {
      if (use != null) {
        export(store, metadata, use, rocks(folder(store, metadata).resolve(snapshot)));
      }
    }
  }

  /**
   * Links the files of a table that is about to be truncated, with no name yet; null if it has
   * none.
   */
  public static Path takeUnnamed(TableStore store, TableMetadata metadata) {
    try (Family.Use use = store.use()) {
      if (use == null) {
        return null;
      }
      Path target = folder(store, metadata).resolve(UNNAMED + store.generation);
      export(store, metadata, use, target);
      return target;
    }
  }

  /** Gives the links of {@link #takeUnnamed} the name of a snapshot. */
  public static void name(Path unnamed, String snapshot) {
    Path target = rocks(unnamed.resolveSibling(snapshot));
    try {
      Files.createDirectories(target.getParent());
      Files.move(unnamed, target, StandardCopyOption.ATOMIC_MOVE);
      sync(target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes links that get no name. */
  public static void drop(Path unnamed) {
    SnapshotDatabase.deleteIfExists(unnamed);
  }

  /** Those that a table was left with when the node stopped. */
  public static List<Path> unnamed(TableMetadata metadata) {
    List<Path> unnamed = new ArrayList<>();
    for (Path folder : folders(metadata)) {
      try {
        unnamed.addAll(files(folder, UNNAMED + "*"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return unnamed;
  }

  /** Whether what was kept is what a table has still. */
  public static boolean isOfLiveRows(Path unnamed, TableStore store) {
    return unnamed.endsWith(UNNAMED + store.generation)
        && store.state().isLive()
        && store.family() != null;
  }

  /** Gives the links of a truncation that did not come to its snapshot a name of their own. */
  public static void nameUnfinished(Path unnamed, TableMetadata metadata) {
    if (!SnapshotColumns.areIn(unnamed)) { // nor did it come to the rows
      drop(unnamed);
      return;
    }
    String name = "truncated-unfinished-" + System.currentTimeMillis() + "-" + metadata.name;
    name(unnamed, name);
    logger.warn(
        "A TRUNCATE of {} ended before its snapshot: the rows that it removed are in the snapshot"
            + " {} now, to be restored, or cleared by nodetool clearsnapshot",
        metadata,
        name);
  }

  private static List<Path> files(Path folder, String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
        files.forEach(found::add);
      }
    }
    return found;
  }

  /**
   * Where the engine's part of a snapshot is, or would be.
   *
   * @param snapshot its name, or the path of its folder
   */
  static Path find(TableMetadata metadata, String snapshot) {
    List<Path> folders = folders(metadata);
    return folders.stream()
        .map(folder -> rocks(folder.resolve(snapshot)))
        .filter(Files::isDirectory)
        .findFirst()
        .orElseGet(() -> rocks(folders.get(0).resolve(snapshot)));
  }

  /** Whether a snapshot, as for {@link #find}, has rows in Cassandra's own data files, too. */
  static boolean hasDataFiles(TableMetadata metadata, String snapshot) throws IOException {
    for (Path folder : folders(metadata)) {
      if (!files(folder.resolve(snapshot), "*-Data.db").isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The names of a table's snapshots that have nothing of RocksDB. */
  public static Set<String> withoutRocks(TableMetadata metadata) {
    Set<String> names = new TreeSet<>();
    Set<String> whole = new HashSet<>();
    for (Path folder : folders(metadata)) {
      try {
        for (Path snapshot : files(folder, "*")) {
          (Files.isDirectory(rocks(snapshot)) ? whole : names)
              .add(snapshot.getFileName().toString());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    names.removeAll(whole);
    names.removeIf(name -> name.startsWith(UNNAMED));
    return names;
  }

  private static Path rocks(Path snapshot) {
    return snapshot.resolve("rocksdb");
  }

  private static void export(
      TableStore store, TableMetadata metadata, Family.Use use, Path target) {
    store.database.syncBeforeFlush();
    try {
      SnapshotDatabase.create(store.database, store.name().toString(), use, target);
      SnapshotColumns.save(store, metadata, target);
      sync(target);
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, target.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Brings the names in a folder to the disk, and those of it and the folders that it is in. */
  private static void sync(Path target) throws IOException {
    boolean isInterrupted = Thread.interrupted(); // which would close the folder
    try {
      syncAll(target);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void syncAll(Path target) throws IOException {
    Path folder = target;
    while (!folder.endsWith(Directories.SNAPSHOT_SUBDIR)) {
      syncOne(folder);
      folder = folder.getParent();
    }
    syncOne(folder);
    syncOne(folder.getParent());
  }

  private static void syncOne(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /** Where parts of a snapshot of this name are, or would be: one folder a data directory. */
  static List<Path> folders(TableMetadata metadata, String snapshot) {
    return folders(metadata).stream()
        .map(folder -> folder.resolve(snapshot))
        .collect(Collectors.toList());
  }

  /** Whether the engine's part of a snapshot is in this folder of it. */
  static boolean hasRocks(Path snapshot) {
    return Files.isDirectory(rocks(snapshot));
  }

  /** Always the same one; where links can be made, if there is such a data directory. */
  private static Path folder(TableStore store, TableMetadata metadata) {
    List<Path> folders = folders(metadata);
    try {
      FileStore rocks = Files.getFileStore(Path.of(store.database.directory));
      for (Path folder : folders) {
        if (Files.getFileStore(folder.getParent()).equals(rocks)) {
          return folder;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folders.get(0);
  }

  /** One in each data directory, whether it is there or not. */
  private static List<Path> folders(TableMetadata metadata) {
    return new Directories(metadata)
        .getCFDirectories().stream()
            .map(directory -> directory.toPath().resolve(Directories.SNAPSHOT_SUBDIR))
            .collect(Collectors.toList());
  }
}
