/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.engine.codec.ByteWriter;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The bytes of a batch are those that RocksDB would have made of the same changes. */
class BatchTest {
  /** The last have numbers of two bytes. */
  private static final int FAMILIES = 130;

  /** Around those where a length takes one byte more. */
  private static final int[] SIZES = {
    0, 1, 125, 126, 127, 128, 129, 16_383, 16_384, 16_385, 70_000
  };

  private static final int[] KEY_SIZES = {1, 127, 128, 20_000};

  private static RocksDB database;
  private static List<ColumnFamilyHandle> families;

  private final Random random = new Random(7);

  @BeforeAll
  static void open() throws RocksDBException {
    TestNode.start(); // which loads RocksDB
    database = RocksDB.open(TestNode.newDirectory("batch").toString());
    List<byte[]> names = new ArrayList<>();
    for (int i = 0; i < FAMILIES; i++) {
      names.add(new byte[] {'f', (byte) i});
    }
    try (ColumnFamilyOptions options = new ColumnFamilyOptions()) {
      families = database.createColumnFamilies(options, names);
    }
    assertThat(families.get(FAMILIES - 1).getID()).isGreaterThan(Byte.MAX_VALUE);
  }

  @AfterAll
  static void close() {
    families.forEach(ColumnFamilyHandle::close);
    database.close();
  }

  @Test
  void should_be_what_rocksdb_makes_of_each_kind_of_change_of_any_size() throws RocksDBException {
    Batch batch = new Batch();
    for (int family : new int[] {0, 126, 127, FAMILIES - 1}) {
      for (int keySize : KEY_SIZES) {
        try (WriteBatch expected = new WriteBatch()) {
          for (int size : SIZES) {
            for (int kind = 0; kind < 4; kind++) {
              change(batch, expected, kind, families.get(family), bytes(keySize), bytes(size));
            }
          }
          assertSame(batch, expected);
        }
        batch.clear();
      }
    }
  }

  @Test
  void should_be_what_rocksdb_makes_of_changes_of_many_column_families() throws RocksDBException {
    Batch batch = new Batch();
    Set<Integer> numbers = new HashSet<>();
    try (WriteBatch expected = new WriteBatch()) {
      assertSame(batch, expected);
      for (int i = 0; i < 1_000; i++) {
        ColumnFamilyHandle family = families.get(random.nextInt(FAMILIES));
        numbers.add(family.getID());
        byte[] key = bytes(1 + random.nextInt(200));
        change(batch, expected, random.nextInt(4), family, key, bytes(random.nextInt(300)));
      }
      assertSame(batch, expected);
      assertThat(batch.families()).isEqualTo(numbers);
    }
  }

  private static void change(
      Batch batch,
      WriteBatch expected,
      int kind,
      ColumnFamilyHandle family,
      byte[] key,
      byte[] value)
      throws RocksDBException {
    switch (kind) {
      case 0:
        batch.put(family, key, value);
        expected.put(family, key, value);
        break;
      case 1:
        batch.put(family, key, fragment(value));
        expected.put(family, key, withLength(value));
        break;
      case 2:
        batch.merge(family, key, fragment(value));
        expected.merge(family, key, withLength(value));
        break;
      default:
        batch.delete(family, key);
        expected.delete(family, key);
        break;
    }
  }

  private static ByteWriter fragment(byte[] value) {
    ByteWriter fragment = new ByteWriter();
    fragment.append(value);
    return fragment;
  }

  private static byte[] withLength(byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int rest = value.length;
    for (; rest > 127; rest /= 128) {
      out.write(128 + rest % 128);
    }
    out.write(rest);
    out.write(value, 0, value.length);
    return out.toByteArray();
  }

  private static void assertSame(Batch batch, WriteBatch expected) throws RocksDBException {
    assertThat(batch.count()).isEqualTo(expected.count());
    assertThat(Arrays.copyOf(batch.bytes(), batch.size())).isEqualTo(expected.data());
    assertThat(again(batch)).isEqualTo(expected.data());
  }

  /** Of the changes that it is found to have. */
  private static byte[] again(Batch batch) throws RocksDBException {
    try (WriteBatch again = new WriteBatch()) {
      BatchChanges changes = batch.changes();
      while (changes.next()) {
        byte[] key = part(changes.bytes, changes.keyFrom, changes.keyLength);
        byte[] value = part(changes.bytes, changes.valueFrom, changes.valueLength);
        ColumnFamilyHandle family = family(changes.family);
        assertThat(changes.hash()).isEqualTo(RecordCache.hash(changes.family, key));
        switch (changes.kind) {
          case Batch.PUT:
            again.put(family, key, value);
            break;
          case Batch.MERGE:
            again.merge(family, key, value);
            break;
          default:
            assertThat(changes.kind).isEqualTo(Batch.DELETE);
            again.delete(family, key);
            break;
        }
      }
      return again.data();
    }
  }

  private static byte[] part(byte[] bytes, int from, int length) {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  private static ColumnFamilyHandle family(int number) {
    return families.stream().filter(family -> family.getID() == number).findFirst().orElseThrow();
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
