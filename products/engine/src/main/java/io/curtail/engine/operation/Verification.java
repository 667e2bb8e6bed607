/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.table.TableStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/** Reads all data files of a table and compares their checksums. */
public final class Verification {
  private Verification() {}

  /**
   * Verifies what is in files now; what is in write buffers only is not yet.
   *
   * @return the bytes that were read
   * @throws IOException that names the damaged or missing files
   */
  public static long run(TableStore store, Tasks.Task task) throws IOException {
    Map<String, Long> files = files(store);
    long whole = files.values().stream().mapToLong(size -> size).sum();
    long read = 0;
    List<String> damages = new ArrayList<>();
    for (Map.Entry<String, Long> file : files.entrySet()) {
      String damage = damage(file.getKey());
      // A compaction may have replaced it meanwhile, and read it to the end.
      if (damage != null && files(store).containsKey(file.getKey())) {
        damages.add(file.getKey() + " is damaged: " + damage);
      }
      read += file.getValue();
      task.at(read, whole);
      task.read(file.getValue());
    }
    if (!damages.isEmpty()) {
      throw new IOException(String.join("; ", damages));
    }
    return read;
  }

  /** The files of a table now, and their sizes in bytes. */
  private static Map<String, Long> files(TableStore store) {
    byte[] family = store.name().toString().getBytes(StandardCharsets.UTF_8);
    Map<String, Long> files = new TreeMap<>();
    for (LiveFileMetaData file : store.database.rocksdb.getLiveFilesMetaData()) {
      if (Arrays.equals(file.columnFamilyName(), family)) {
        files.put(file.path() + file.fileName(), file.size());
      }
    }
    return files;
  }

  /** What is wrong with a file; null if nothing is. */
  private static String damage(String file) {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file);
      reader.verifyChecksum();
      return null;
    } catch (RocksDBException e) {
      return e.getMessage();
    }
  }
}
