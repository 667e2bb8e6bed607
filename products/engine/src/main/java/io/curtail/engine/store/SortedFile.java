/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.codec.ByteWriter;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fragments in the order of their keys, as a file that RocksDB takes in as it is: neither the log
 * nor a write buffer has them.
 *
 * <p>A start writes again what the log has, and a record that was put there before the file came
 * would hide what the file says of it: the log must {@linkplain io.curtail.engine.log.LogSync#has
 * not have} it any more when nothing else has the file's rows. For one thread.
 */
public final class SortedFile implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(SortedFile.class);
  private static final String SUFFIX = ".sst";

  private final Database database;
  private final Path file;
  private final ColumnFamilyOptions familyOptions;
  private final Options options;
  private final EnvOptions environment = new EnvOptions();
  private final SstFileWriter writer;
  private final ByteWriter value = new ByteWriter();
  private byte[] last;
  private long bytes;

  /**
   * An empty one, to be taken in by a column family of this name.
   *
   * @throws org.apache.cassandra.io.FSError if it cannot be made, or RocksDB would not take it
   */
  public SortedFile(Database database, FamilyName family) {
    this.database = database;
    familyOptions = database.familyOptions(family.toString());
    options = new Options(database.settings.database, familyOptions);
    writer = new SstFileWriter(environment, options);
    Path directory = Ingestion.directory(Path.of(database.directory));
    file = directory.resolve(UUID.randomUUID() + SUFFIX);
    try {
      database.ingestion.check();
      Files.createDirectories(directory);
      writer.open(file.toString());
    } catch (IOException e) {
      close();
      throw new FSWriteError(e, new File(directory));
    } catch (RocksDBException e) {
      close();
      throw StorageErrors.writing(e, database.directory);
    }
  }

  /** Deletes those that a process left, once RocksDB is open without them. */
  static void deleteAll(String databaseDirectory) {
    Path directory = Ingestion.directory(Path.of(databaseDirectory));
    if (!Files.exists(directory)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (IOException | DirectoryIteratorException e) {
      logger.warn(
          "Files that RocksDB was to take in are left in {}; nobody needs them", directory, e);
    }
  }

  /**
   * Adds a fragment, which has no length yet, to what the column family has of a record.
   *
   * @return whether it was added: not if the key does not come after the one before
   */
  public boolean add(byte[] key, ByteWriter fragment) {
    if (last != null && Arrays.compareUnsigned(key, last) <= 0) {
      return false;
    }
    value.clear();
    value.writeBytes(fragment);
    try {
      writer.merge(key, value.toArray());
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, database.directory);
    }
    last = key;
    bytes += key.length + value.size();
    return true;
  }

  /** What was added, in bytes, before it is compressed. */
  public long bytes() {
    return bytes;
  }

  /** Ends the file, which is on the disk then; once, and not if it is empty. */
  public void finish() {
    try {
      writer.finish();
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, database.directory);
    }
  }

  /**
   * Makes it part of the column family, newer than all that is there, and durable; once. Nobody may
   * write to the column family meanwhile, or his write may be lost.
   */
  public void ingest(Family family) {
    try {
      database.ingestion.take(family, file);
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, database.directory);
    }
  }

  /** Deletes the file, unless it was taken in, or must be {@linkplain Ingestion kept}. */
  @Override
  public void close() {
    writer.close();
    environment.close();
    options.close();
    familyOptions.close();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      logger.warn("{} is deleted with the next start", file, e);
    }
  }
}
