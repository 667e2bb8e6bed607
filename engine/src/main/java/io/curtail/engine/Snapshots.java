/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * Hard links of a table's RocksDB files in {@code snapshots/<name>/rocksdb} of the table's data
 * directory, where {@code nodetool listsnapshots} and {@code clearsnapshot} find them.
 *
 * <p>Cassandra asks for the snapshot of a truncation when the data has gone from the memtable; so
 * the links are made when the truncation begins, and get their name when Cassandra gives it.
 */
final class Snapshots {
  private Snapshots() {}

  /** Links the table's files as they are now, under the name of a snapshot. */
  static void take(TableStore store, TableMetadata metadata, String snapshot) {
    ColumnFamilyHandle family = store.family();
    if (family != null) {
      export(store, family, folder(metadata).resolve(snapshot).resolve("rocksdb"));
    }
  }

  /** Links the files of a table that is about to be truncated, with no name yet. */
  static Path takeUnnamed(TableStore store, TableMetadata metadata) {
    ColumnFamilyHandle family = store.family();
    if (family == null) {
      return null;
    }
    Path target = folder(metadata).resolve("rocksdb-before-truncation-" + store.generation);
    export(store, family, target);
    return target;
  }

  static void name(Path unnamed, TableMetadata metadata, String snapshot) {
    Path target = folder(metadata).resolve(snapshot).resolve("rocksdb");
    try {
      Files.createDirectories(target.getParent());
      Files.move(unnamed, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void export(TableStore store, ColumnFamilyHandle family, Path target) {
    try {
      Files.createDirectories(target.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Checkpoint checkpoint = Checkpoint.create(store.engine.database)) {
      checkpoint.exportColumnFamily(family, target.toString()).close();
      store.columns.save(target.resolve("columns"));
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
