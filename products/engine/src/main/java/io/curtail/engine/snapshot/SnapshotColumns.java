/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.snapshot;

import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.TypeParser;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * What the bytes of a snapshot mean, in two files beside it: {@code columns} has the numbers of its
 * columns, {@code types} a line for each column of the table, with its name in hexadecimal, its
 * kind and its type.
 */
final class SnapshotColumns {
  private static final String COLUMNS = "columns";
  private static final String TYPES = "types";

  private SnapshotColumns() {}

  /** Whether they are there, which are written last. */
  static boolean areIn(Path directory) {
    return Files.exists(directory.resolve(TYPES));
  }

  /** Returns when they are on the disk, but for their names. */
  static void save(TableStore store, TableMetadata metadata, Path directory) throws IOException {
    store.columns.save(directory.resolve(COLUMNS));
    List<String> lines = lines(metadata.primaryKeyColumns());
    lines.addAll(lines(metadata.regularAndStaticColumns()));
    ColumnDictionary.write(directory.resolve(TYPES), lines);
  }

  /**
   * The numbers of the columns of a snapshot.
   *
   * @throws IOException if there is no snapshot, or the table's columns are others now
   */
  static ColumnDictionary load(TableMetadata metadata, Path directory) throws IOException {
    if (!areIn(directory)) {
      throw new IOException(
          directory
              + " has no snapshot of a table in RocksDB; give the name of one, or the path of its"
              + " folder");
    }
    List<String> written = Files.readAllLines(directory.resolve(TYPES));
    if (written.isEmpty()) {
      throw new IOException(
          directory.resolve(TYPES)
              + " is empty, as of a snapshot that did not come to the disk as a whole");
    }
    List<String> primaryKey = new ArrayList<>();
    for (String line : written) {
      String[] words = line.split(" ", 3);
      ColumnMetadata column = metadata.getColumn(ByteBufferUtil.hexToBytes(words[0]));
      ColumnMetadata.Kind kind = ColumnMetadata.Kind.valueOf(words[1]);
      if (kind.isPrimaryKeyKind()) {
        primaryKey.add(part(words[0], kind, TypeParser.parse(words[2])));
      } else if (column != null && !isReadable(column, kind, words[2])) {
        throw refusal(metadata, directory, "column " + column.name.toCQLString());
      }
    }
    List<String> present = new ArrayList<>();
    for (ColumnMetadata column : metadata.primaryKeyColumns()) {
      present.add(part(ByteBufferUtil.bytesToHex(column.name.bytes), column.kind, column.type));
    }
    if (!primaryKey.equals(present)) {
      throw refusal(metadata, directory, "primary key");
    }
    return ColumnDictionary.read(directory.resolve(COLUMNS));
  }

  /** Of a primary key, without the names of user types and of their fields, which may change. */
  private static String part(String name, ColumnMetadata.Kind kind, AbstractType<?> type) {
    return name + " " + kind + " " + type.expandUserTypes();
  }

  private static boolean isReadable(ColumnMetadata column, ColumnMetadata.Kind kind, String type) {
    AbstractType<?> written = TypeParser.parse(type);
    return column.kind == kind && column.type.isValueCompatibleWith(written);
  }

  private static List<String> lines(Iterable<ColumnMetadata> columns) {
    List<String> lines = new ArrayList<>();
    for (ColumnMetadata column : columns) {
      String name = ByteBufferUtil.bytesToHex(column.name.bytes);
      lines.add(name + " " + column.kind + " " + column.type);
    }
    return lines;
  }

  private static IOException refusal(TableMetadata metadata, Path directory, String what) {
    return new IOException(
        "the "
            + what
            + " of "
            + metadata
            + " is not what it was when "
            + directory
            + " was taken: restore into a table that has it");
  }
}
