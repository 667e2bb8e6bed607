/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.snapshot;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.Families;
import io.curtail.engine.store.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.io.util.File;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A snapshot of one table: a RocksDB of its own with one column family, whose data files are hard
 * links to those of the node's RocksDB where the file system allows. Without data it is a directory
 * that has no database.
 */
final class SnapshotDatabase {
  private static final ColumnFamilyDescriptor DEFAULT =
      new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY);

  private static final String RESTORED = "restored";
  private static final String EXPORTED = "-exported";

  /** Of the indexes and filters of its files: the node's own cache keeps what clients read. */
  private static final long CACHE_BYTES = 8 << 20;

  private static final int MOST_OPEN_FILES = 64;

  private SnapshotDatabase() {}

  /** Deletes what a restore has left in RocksDB's directory that the process did not outlive. */
  static void deleteLeftover(String directory) {
    deleteIfExists(Path.of(directory, RESTORED + EXPORTED));
  }

  static boolean exists(Path directory) {
    return Files.exists(directory.resolve("CURRENT"));
  }

  static void create(Database database, String name, Family.Use use, Path directory)
      throws RocksDBException, IOException {
    deleteIfExists(directory);
    Files.createDirectories(directory);
    try (Exported exported = exported(database, use, directory)) {
      if (exported == null || exported.isEmpty()) {
        return;
      }
      try (Cache cache = cache();
          ColumnFamilyOptions familyOptions = familyOptions(database, name, cache);
          Options options =
              new Options().setCreateIfMissing(true).setMaxOpenFiles(MOST_OPEN_FILES);
          RocksDB snapshot = RocksDB.open(options, directory.toString())) {
        ColumnFamilyDescriptor descriptor =
            new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), familyOptions);
        Families.importFiles(snapshot, descriptor, exported.files).close();
      }
    }
  }

  private static Cache cache() {
    return new LRUCache(CACHE_BYTES, 0);
  }

  private static ColumnFamilyOptions familyOptions(Database database, String name, Cache cache) {
    // Compactions would begin with the import, and make files of their own in place of the links.
    ColumnFamilyOptions options = database.familyOptions(name).setDisableAutoCompactions(true);
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    return options.setTableFormatConfig(
        table.setBlockCache(cache).setPinL0FilterAndIndexBlocksInCache(false));
  }

  /** Of one that is written meanwhile; null if it is dropped. */
  private static Exported exported(Database database, Family.Use use, Path directory)
      throws RocksDBException {
    AtomicReference<Exported> exported = new AtomicReference<>();
    database.families.flushBefore(
        use, handle -> exported.set(Exported.of(database.rocksdb, handle, directory)));
    return exported.get();
  }

  /**
   * Copies a snapshot's column family into the node's RocksDB, under another name; one at a time.
   */
  static synchronized void copyTo(Database database, String name, Path directory)
      throws RocksDBException, IOException {
    byte[] familyName = familyName(directory);
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (Cache cache = cache();
        ColumnFamilyOptions familyOptions =
            familyOptions(database, new String(familyName, StandardCharsets.UTF_8), cache);
        DBOptions options = new DBOptions().setMaxOpenFiles(MOST_OPEN_FILES);
        RocksDB snapshot =
            RocksDB.open(
                options,
                directory.toString(),
                List.of(DEFAULT, new ColumnFamilyDescriptor(familyName, familyOptions)),
                families);
        // On the disk of the node's RocksDB: nobody writes while files are imported, so those of
        // another disk are copied before.
        Exported exported =
            Exported.of(snapshot, families.get(1), Path.of(database.directory, RESTORED))) {
      database.families.importFiles(name, exported.files);
    }
  }

  private static byte[] familyName(Path directory) throws RocksDBException, IOException {
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, directory.toString())) {
        if (!Arrays.equals(name, RocksDB.DEFAULT_COLUMN_FAMILY)) {
          return name;
        }
      }
    }
    throw new IOException(directory + " is no snapshot of a table");
  }

  static void deleteIfExists(Path directory) {
    if (Files.exists(directory)) {
      new File(directory).deleteRecursive();
    }
  }

  /** Links to the data files of a column family, which go when this is closed. */
  private static final class Exported implements AutoCloseable {
    private final Path directory;
    private final ExportImportFilesMetaData files;

    private Exported(Path directory, ExportImportFilesMetaData files) {
      this.directory = directory;
      this.files = files;
    }

    static Exported of(RocksDB database, ColumnFamilyHandle family, Path beside)
        throws RocksDBException {
      Path directory = beside.resolveSibling(beside.getFileName() + EXPORTED);
      deleteIfExists(directory);
      try (Checkpoint checkpoint = Checkpoint.create(database)) {
        return new Exported(directory, checkpoint.exportColumnFamily(family, directory.toString()));
      }
    }

    boolean isEmpty() throws IOException {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
        return !found.iterator().hasNext();
      }
    }

    @Override
    public void close() {
      files.close();
      deleteIfExists(directory);
    }
  }
}
