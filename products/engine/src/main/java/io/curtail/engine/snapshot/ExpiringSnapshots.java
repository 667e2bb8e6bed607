/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.snapshot.SnapshotManifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the engine's part of snapshots when they have expired. Cassandra 5.0 removes the folders
 * of them that it has written to: of several data directories those of its data files and of its
 * manifest, for which it takes any. What is left would stay for ever, and keep the name taken.
 *
 * <p>A start of the node finds all folders of a snapshot, so this knows of those that were taken
 * since. Thread-safe.
 */
public final class ExpiringSnapshots {
  private static final Logger logger = LoggerFactory.getLogger(ExpiringSnapshots.class);

  /** By the folder with the engine's part. */
  private final Map<Path, Taken> taken = new HashMap<>();

  /** What is known of one. */
  private static final class Taken {
    /** Of the snapshot, the one with the engine's part too. */
    final List<Path> folders;

    /** When it expires; null until that is known. */
    Instant expires;

    Taken(List<Path> folders) {
      this.folders = folders;
    }
  }

  /** The engine's part is there, if the table has any rows; Cassandra writes its own next. */
  public synchronized void taken(TableMetadata metadata, String snapshot) {
    List<Path> folders = Snapshots.folders(metadata, snapshot);
    if (folders.size() > 1) {
      folders.stream()
          .filter(Snapshots::hasRocks)
          .forEach(folder -> taken.put(folder, new Taken(folders)));
    }
  }

  /** Removes what Cassandra has left of those that have expired. Comes again and again. */
  public synchronized void removeExpired() {
    taken.entrySet().removeIf(each -> isDone(each.getKey(), each.getValue()));
  }

  /** Whether there is nothing to do, also later. */
  private static boolean isDone(Path ours, Taken snapshot) {
    if (!Snapshots.hasRocks(ours)) {
      return true;
    }
    Path manifest =
        snapshot.folders.stream()
            .map(folder -> folder.resolve("manifest.json"))
            .filter(Files::exists)
            .findFirst()
            .orElse(null);
    if (manifest != null) {
      return snapshot.expires == null && !mayExpireAlone(ours, manifest, snapshot);
    }
    if (snapshot.expires == null || Instant.now().isBefore(snapshot.expires)) {
      return false;
    }
    SnapshotDatabase.deleteIfExists(ours);
    logger.info("Removed {}, of a snapshot that has expired", ours);
    return true;
  }

  /** Whether a snapshot expires without the folder of the engine's part. */
  private static boolean mayExpireAlone(Path ours, Path manifest, Taken snapshot) {
    try {
      snapshot.expires =
          SnapshotManifest.deserializeFromJsonFile(new File(manifest)).getExpiresAt();
      return snapshot.expires != null && !manifest.startsWith(ours);
    } catch (IOException e) {
      logger.debug("{} cannot be read, as while it is being written", manifest, e);
      return true;
    }
  }
}
