/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * The small numbers that stand for the columns of a table in its records. A number is never used
 * again, so that old records keep their meaning when columns are dropped, added and dropped again.
 *
 * <p>A column is its name, whether it is static, and whether it has many cells: data written under
 * one form is not read as another. Thread-safe.
 */
public final class ColumnDictionary {
  private static final int STATIC = 1;
  private static final int COMPLEX = 2;

  /** Keeps a new number before anything is written under it. */
  public interface Store {
    /** Returns when it is on the disk; a failure is thrown, and then the number is not used. */
    void save(int id, byte[] column);
  }

  /** One numbered column. */
  static final class Entry {
    final ByteBuffer name;
    final boolean isStatic;
    final boolean isComplex;

    Entry(ByteBuffer name, int form) {
      this.name = name;
      this.isStatic = (form & STATIC) != 0;
      this.isComplex = (form & COMPLEX) != 0;
    }
  }

  private final Store store;
  private final List<Map<ColumnIdentifier, Integer>> idsByForm =
      List.of(
          new ConcurrentHashMap<>(),
          new ConcurrentHashMap<>(),
          new ConcurrentHashMap<>(),
          new ConcurrentHashMap<>());
  private volatile Entry[] entries = {};

  /** An empty one. */
  public ColumnDictionary(Store store) {
    this.store = store;
  }

  /** Takes an entry as {@link Store#save} was given it. */
  public synchronized void load(int id, byte[] column) {
    ByteBuffer name = ByteBuffer.wrap(column, 1, column.length - 1).slice();
    put(id, name, column[0]);
  }

  /** How many numbers are in use; grows only. */
  int size() {
    return entries.length;
  }

  /** The column of a number; null if the number is unknown. */
  Entry entry(int id) {
    Entry[] all = entries;
    return id < all.length ? all[id] : null;
  }

  int id(ColumnMetadata column) {
    int form = (column.isStatic() ? STATIC : 0) | (column.isComplex() ? COMPLEX : 0);
    Integer id = idsByForm.get(form).get(column.name);
    return id != null ? id : assign(column.name, form);
  }

  /** Writes a line for each column, synced: its number, form, and name in hexadecimal. */
  public void save(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    Entry[] all = entries;
    for (int id = 0; id < all.length; id++) {
      int form = (all[id].isStatic ? STATIC : 0) | (all[id].isComplex ? COMPLEX : 0);
      lines.add(id + " " + form + " " + ByteBufferUtil.bytesToHex(all[id].name));
    }
    write(file, lines);
  }

  /** Writes a file anew, and what it has to the disk. */
  public static void write(Path file, List<String> lines) throws IOException {
    Files.write(
        file,
        lines,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
  }

  /** What {@link #save} wrote; it takes no new numbers. */
  public static ColumnDictionary read(Path file) throws IOException {
    ColumnDictionary dictionary =
        new ColumnDictionary(
            (id, column) -> {
              throw new IllegalStateException("the columns of a snapshot do not change: " + file);
            });
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", -1);
      ByteBuffer name = ByteBufferUtil.hexToBytes(words[2]);
      dictionary.put(Integer.parseInt(words[0]), name, Integer.parseInt(words[1]));
    }
    return dictionary;
  }

  private synchronized int assign(ColumnIdentifier name, int form) {
    Integer id = idsByForm.get(form).get(name);
    if (id == null) {
      id = entries.length;
      byte[] column = new byte[1 + name.bytes.remaining()];
      column[0] = (byte) form;
      name.bytes.duplicate().get(column, 1, column.length - 1);
      store.save(id, column);
      load(id, column);
    }
    return id;
  }

  private void put(int id, ByteBuffer name, int form) {
    Entry[] grown = Arrays.copyOf(entries, Math.max(entries.length, id + 1));
    grown[id] = new Entry(name, form);
    entries = grown;
    idsByForm.get(form).put(new ColumnIdentifier(name, ""), id);
  }
}
