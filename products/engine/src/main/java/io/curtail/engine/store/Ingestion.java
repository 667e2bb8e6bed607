/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.LogSegment;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How RocksDB takes in files: one at a time, and so that a start is possible whatever fails.
 *
 * <p>RocksDB notes a file in its MANIFEST and syncs that. If the sync fails it deletes the file,
 * though a start may find the note, and cannot go on without the file. So that file is kept until
 * RocksDB has taken another, as it writes a new MANIFEST first, or is open without it. Thread-safe.
 */
final class Ingestion {
  private static final Logger logger = LoggerFactory.getLogger(Ingestion.class);
  private static final String DIRECTORY = "ingested";
  private static final String KEPT = "kept.sst";
  private static final Pattern DATA_FILE = Pattern.compile("(\\d+\\.sst)\\b");

  /** Opens RocksDB. */
  interface Opening<T> {
    T open() throws RocksDBException, IOException;
  }

  private final Database database;

  Ingestion(Database database) {
    this.database = database;
  }

  /** Where files wait, which may not be there. */
  static Path directory(Path database) {
    return database.resolve(DIRECTORY);
  }

  private Path kept() {
    return directory(Path.of(database.directory)).resolve(KEPT);
  }

  /**
   * Takes a file in, which has another name then, or none.
   *
   * @throws RocksDBException if it is not taken in
   */
  synchronized void take(Family family, Path file) throws RocksDBException {
    check(); // what RocksDB refuses at once is in no MANIFEST
    try (IngestExternalFileOptions moving =
        new IngestExternalFileOptions().setMoveFiles(true).setWriteGlobalSeqno(false)) {
      family.comingIn(true);
      database.rocksdb.ingestExternalFile(family.handle, List.of(file.toString()), moving);
    } catch (RocksDBException e) {
      keep(file);
      throw e;
    } finally {
      family.comingIn(false);
    }
    forget();
  }

  private void keep(Path file) {
    try {
      Files.move(file, kept(), StandardCopyOption.ATOMIC_MOVE);
      LogSegment.syncDirectory(file.getParent());
    } catch (IOException e) {
      logger.warn("{} is not kept", file, e);
    }
  }

  private void forget() {
    try {
      Files.deleteIfExists(kept());
    } catch (IOException e) {
      logger.warn("{} is deleted with the next start", kept(), e);
    }
  }

  /**
   * Fails as a write would, and does not wait as one may.
   *
   * @throws RocksDBException if RocksDB takes no writes
   */
  void check() throws RocksDBException {
    BackgroundErrors errors = database.settings.backgroundErrors;
    BackgroundErrors.Period begun = errors.begin(this::writeNothing);
    try {
      writeNothing();
    } catch (RocksDBException e) {
      errors.refused(begun, e);
      throw e;
    }
  }

  private void writeNothing() throws RocksDBException {
    try (WriteBatch nothing = new WriteBatch()) {
      database.rocksdb.write(database.settings.writing, nothing);
    } catch (RocksDBException e) {
      if (!StorageErrors.isWait(e)) {
        throw e;
      }
    }
  }

  /**
   * Opens RocksDB, also if its MANIFEST names a file that is among those that a process left.
   *
   * @throws RocksDBException if it cannot be opened; nothing is changed then
   */
  static <T> T open(Path database, Opening<T> opening) throws RocksDBException, IOException {
    try {
      return opening.open();
    } catch (RocksDBException e) {
      Path missing = missing(database, e);
      for (Path file : missing == null ? List.<Path>of() : left(directory(database))) {
        T opened = openWith(file, missing, opening, e);
        if (opened != null) {
          LogSegment.syncDirectory(database);
          logger.warn("{} was missing, and is {} again", missing, file);
          return opened;
        }
      }
      throw e;
    }
  }

  /** RocksDB knows its files by an id that is in them: another is refused. */
  private static <T> T openWith(Path file, Path missing, Opening<T> opening, Exception why)
      throws IOException {
    try {
      Files.createLink(missing, file);
    } catch (IOException | UnsupportedOperationException e) {
      why.addSuppressed(e);
      return null;
    }
    try {
      return opening.open();
    } catch (RocksDBException e) {
      why.addSuppressed(e);
      Files.delete(missing);
      return null;
    }
  }

  private static Path missing(Path database, RocksDBException failure) {
    Matcher names = DATA_FILE.matcher(String.valueOf(failure.getMessage()));
    while (names.find()) {
      Path file = database.resolve(names.group(1));
      if (!Files.exists(file)) {
        return file;
      }
    }
    return null;
  }

  /** Of those that are there, first the one that was kept. */
  private static List<Path> left(Path directory) throws IOException {
    List<Path> left = new ArrayList<>();
    if (Files.exists(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        files.forEach(left::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    left.sort(Comparator.comparing(file -> !file.endsWith(KEPT)));
    return left;
  }
}
