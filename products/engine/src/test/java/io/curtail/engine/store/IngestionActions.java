/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.TestNode;
import io.curtail.engine.codec.ByteWriter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.db.Keyspace;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** What {@link IngestionTest} does in a node in a child process, which has a table k.t. */
public final class IngestionActions {
  private static final Pattern NUMBERED =
      Pattern.compile("(MANIFEST-|OPTIONS-)?(\\d{6})(\\.sst|\\.log)?");

  /** Of the one record of {@link #sorted}. */
  static final byte[] KEY = {1};

  private IngestionActions() {}

  /** Whether RocksDB would take a file. */
  public static String check() {
    try {
      database().ingestion.check();
      return "taken";
    } catch (RocksDBException e) {
      return "refused: " + e.getMessage();
    }
  }

  /** Begins a file. */
  public static void begin() {
    new SortedFile(database(), FamilyName.ofCopy()).close();
  }

  /** Has RocksDB take a file that was whole before a flush failed. */
  public static void takeAfterFailure() throws IOException {
    Database database = database();
    FamilyName name = FamilyName.ofCopy();
    Family family = database.families.create(name.toString());
    try (SortedFile file = sorted(database, name)) {
      failFlush(database);
      file.ingest(family);
    }
  }

  static SortedFile sorted(Database database, FamilyName name) {
    SortedFile file = new SortedFile(database, name);
    if (!file.add(KEY, new ByteWriter())) {
      throw new IllegalStateException();
    }
    file.finish();
    return file;
  }

  /** RocksDB stops, since it cannot write its next data file: its name is a directory's. */
  private static void failFlush(Database database) throws IOException {
    Path directory = Path.of(database.directory);
    int last = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Matcher name = NUMBERED.matcher(file.getFileName().toString());
        last = name.matches() ? Math.max(last, Integer.parseInt(name.group(2))) : last;
      }
    }
    for (int next = last + 1; next < last + 100; next++) {
      Files.createDirectory(directory.resolve(String.format(Locale.ROOT, "%06d.sst", next)));
    }
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      database.rocksdb.flush(
          waiting, TestNode.store(Keyspace.open("k").getColumnFamilyStore("t")).family());
    } catch (RocksDBException e) {
      return;
    }
    throw new IllegalStateException("it was flushed");
  }

  private static Database database() {
    return TestNode.store(Keyspace.open("k").getColumnFamilyStore("t")).database;
  }
}
