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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * A {@link SnapshotDatabase} of a table in {@code snapshots/<name>/rocksdb} of the table's data
 * directory, where {@code nodetool listsnapshots} and {@code clearsnapshot} find them.
 *
 * <p>Cassandra asks for the snapshot of a truncation when the data has gone from the memtable; so
 * the links are made when the truncation begins, and get their name when Cassandra gives it.
 *
 * <p>What RocksDB cannot do is an {@link org.apache.cassandra.io.FSError}, and what the file system
 * cannot an {@link UncheckedIOException}. For one thread a table.
 */
public final class Snapshots {
  private static final String UNNAMED = "rocksdb-before-truncation-";

  private Snapshots() {}

  /** Links the table's files as they are now, under the name of a snapshot. */
  public static void take(TableStore store, TableMetadata metadata, String snapshot) {
    try (Family.Use use = store.use()) {
      if (use != null) {
        export(store, metadata, use.handle, directory(metadata, snapshot));
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
      Path target = folder(metadata).resolve(UNNAMED + store.generation);
      export(store, metadata, use.handle, target);
      return target;
    }
  }

  /** Gives the links of {@link #takeUnnamed} the name of a snapshot. */
  public static void name(Path unnamed, TableMetadata metadata, String snapshot) {
    Path target = directory(metadata, snapshot);
    try {
      Files.createDirectories(target.getParent());
      Files.move(unnamed, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes links that get no name. */
  public static void drop(Path unnamed) {
    SnapshotDatabase.deleteIfExists(unnamed);
  }

  /** Removes those that a table was left with when the node stopped. */
  public static void dropUnnamed(TableMetadata metadata) {
    Path folder = folder(metadata);
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, UNNAMED + "*")) {
      left.forEach(Snapshots::drop);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Where the engine's part of a snapshot is.
   *
   * @param snapshot its name, or the path of its folder
   */
  static Path directory(TableMetadata metadata, String snapshot) {
    return folder(metadata).resolve(snapshot).resolve("rocksdb");
  }

  /** Whether a snapshot has rows in Cassandra's own data files, too. */
  static boolean hasDataFiles(Path directory) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory.getParent(), "*-Data.db")) {
      return files.iterator().hasNext();
    }
  }

  private static void export(
      TableStore store, TableMetadata metadata, ColumnFamilyHandle family, Path target) {
    try {
      SnapshotDatabase.create(store.database, store.name().toString(), family, target);
      SnapshotColumns.save(store, metadata, target);
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, target.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder(TableMetadata metadata) {
    return new Directories(metadata)
        .getDirectoryForNewSSTables()
        .toPath()
        .resolve(Directories.SNAPSHOT_SUBDIR);
  }
}
