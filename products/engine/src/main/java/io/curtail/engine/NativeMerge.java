/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.store.NativeCalls;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteOptions;

/**
 * The merge of {@code Fragments} in C, inside RocksDB, and reads and writes in one call each:
 * {@code src/main/c} of this module, built for the platforms that the build has a compiler for, and
 * kept in the jar.
 */
final class NativeMerge extends NativeCalls {
  private static final String NAME = "libcurtail-merge.so";

  private static final String ROCKSDB = "librocksdbjni";

  /** The files that this process has mapped, on Linux. */
  private static final Path MAPPED = Path.of("/proc/self/maps");

  private static NativeMerge loaded;

  private final String rocksdb;

  private NativeMerge(long handle, String rocksdb) {
    super(handle);
    this.rocksdb = rocksdb;
  }

  /**
   * The operator, for the rocksdbjni that this process has, from a folder if nobody loaded it
   * before.
   *
   * @throws IOException if the jar has no library for this platform, or it cannot be unpacked
   * @throws UnsatisfiedLinkError if the library does not load, or rocksdbjni is not what it needs
   */
  static synchronized NativeMerge load(Path libraries) throws IOException {
    if (loaded == null) {
      System.load(unpack(libraries).toString());
      String rocksdb = rocksdb(libraries).toString();
      long handle = create(rocksdb);
      if (handle == 0 || !findIterators(rocksdb) || !findReads(rocksdb) || !findWrites(rocksdb)) {
        throw new UnsatisfiedLinkError("rocksdbjni does not export RocksDB's C API");
      }
      findPerfCounters(rocksdb);
      loaded = new NativeMerge(handle, rocksdb);
    }
    return loaded;
  }

  private static Path unpack(Path folder) throws IOException {
    Path library = folder.resolve(NAME);
    try (InputStream packed = NativeMerge.class.getResourceAsStream(resource())) {
      if (packed == null) {
        throw new FileNotFoundException("this jar has no library for " + platform());
      }
      // A running node may still map the old file: replace it, do not write into it.
      Path fresh = Files.createTempFile(folder, NAME, ".new");
      Files.copy(packed, fresh, StandardCopyOption.REPLACE_EXISTING);
      Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE);
    }
    return library;
  }

  /** Whoever loaded rocksdbjni first in this process chose where it lies. */
  private static Path rocksdb(Path folder) throws IOException {
    if (Files.exists(MAPPED)) {
      try (Stream<String> mapped = Files.lines(MAPPED)) {
        Optional<Path> loaded =
            mapped
                .filter(line -> line.contains(ROCKSDB))
                .map(line -> Path.of(line.substring(line.indexOf('/'))))
                .filter(NativeMerge::isRocksdb)
                .findFirst();
        if (loaded.isPresent()) {
          return loaded.get();
        }
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(NativeMerge::isRocksdb)
          .findFirst()
          .orElseThrow(() -> new FileNotFoundException("rocksdbjni is not in " + folder));
    }
  }

  private static boolean isRocksdb(Path file) {
    return file.getFileName().toString().startsWith(ROCKSDB);
  }

  /** Where the jar has the library for this platform, if the build had a compiler for it. */
  static String resource() {
    return "/native/" + platform() + "/" + NAME;
  }

  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return system + "-" + (machine.equals("amd64") ? "x86_64" : machine);
  }

  private static native long create(String rocksdb);

  /** Whether {@link #takeRecords} can be called. */
  private static native boolean findIterators(String rocksdb);

  @Override
  public byte[] takeRecords(
      long iterator, byte[] bound, boolean reversed, int mostRecords, int mostBytes) {
    return records(iterator, bound, reversed, mostRecords, mostBytes);
  }

  static native byte[] records(
      long iterator, byte[] bound, boolean reversed, int mostRecords, int mostBytes);

  /** Whether {@link #get} can be called. */
  private static native boolean findReads(String rocksdb);

  @Override
  public byte[] get(RocksDB database, ReadOptions reading, ColumnFamilyHandle family, byte[] key) {
    return get(
        database.getNativeHandle(),
        reading.getNativeHandle(),
        family.getNativeHandle(),
        key,
        FAILED);
  }

  private static native byte[] get(
      long database, long reading, long family, byte[] key, byte[] failed);

  private static native void findPerfCounters(String rocksdb);

  /** Whether {@link #writeBatch} can be called. */
  private static native boolean findWrites(String rocksdb);

  @Override
  public boolean writeBatch(RocksDB database, WriteOptions writing, byte[] batch, int size) {
    return write(database.getNativeHandle(), writing.getNativeHandle(), batch, size);
  }

  private static native boolean write(long database, long writing, byte[] batch, int size);

  @Override
  public int merge(
      long value, int length, int room, byte[] fragments, int from, int fragmentLength) {
    return mergeInto(value, length, room, fragments, from, fragmentLength);
  }

  private static native int mergeInto(
      long value, int length, int room, byte[] fragments, int from, int fragmentLength);

  @Override
  public boolean setCapacity(Cache cache, long bytes) {
    return setCapacity(rocksdb, cache.getNativeHandle(), bytes);
  }

  private static native boolean setCapacity(String rocksdb, long cache, long bytes);

  @Override
  public void countOnly(Options measured) {
    countOnly(rocksdb, measured.getNativeHandle());
  }

  private static native void countOnly(String rocksdb, long options);

  /** The merge alone; null if a value is damaged. */
  static native byte[] merge(byte[][] values);

  /** It lives as long as the process. */
  @Override
  protected void disposeInternal(long handle) {}
}
