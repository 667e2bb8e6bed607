/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;

/**
 * {@linkplain TemporaryFiles Temporary files} that are being written. Cassandra leaves what it has
 * of one when the stream or the repair fails, and does not tell which file it writes to. But it
 * asks for all ranges, then makes the file, then asks for the partitions: a file is its own that
 * has come in between. It is given up when nobody can ask for more of them, and it has not changed
 * for long.
 *
 * <p>Thread-safe.
 */
final class UnfinishedFiles {
  /** A writer that has all partitions may still write what is beside them. */
  private static final long GIVEN_UP_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More than is written between two looks at the disk. */
  private static final long LEAST_ROOM_BYTES = 128 << 20;

  /** Whose file this thread makes next. */
  private static final ThreadLocal<Writing> ASKING = new ThreadLocal<>();

  private final List<Begun> begun = new ArrayList<>();

  /** Those of which somebody may have something yet; guarded by begun. */
  private final Set<Writing> asked = Collections.newSetFromMap(new WeakHashMap<>());

  private static final class Begun {
    private final WeakReference<Writing> writing;
    private final Set<String> files;

    Begun(Writing writing, Set<String> files) {
      this.writing = new WeakReference<>(writing);
      this.files = files;
    }
  }

  /** Of one file; for one thread. Whoever may ask for partitions holds it. */
  final class Writing implements Runnable {
    private final TableMetadata metadata;
    private Set<String> before;
    private FileStore disk;
    private long lookedNanos;
    private volatile boolean isAsking;
    private volatile boolean hasPartitions;

    private Writing(TableMetadata metadata) {
      this.metadata = metadata;
    }

    /** So many partitions are in the range that was asked for: without any there is no file. */
    void found(long partitions) {
      hasPartitions = hasPartitions || partitions > 0;
      isAsking = false;
    }

    /**
     * A partition is written next.
     *
     * @throws IllegalStateException if the disk is almost full
     */
    @Override
    public void run() {
      if (before != null) {
        Set<String> files = dataFiles(metadata);
        files.removeAll(before);
        before = null;
        ASKING.remove();
        begins(this, files);
        hasPartitions = files.isEmpty(); // else it can be seen on the disk from now on
      }
      if (disk != null && System.nanoTime() - lookedNanos > LOOK_NANOS) {
        look();
      }
    }

    private void look() {
      lookedNanos = System.nanoTime();
      try {
        if (disk.getUsableSpace()
            < DatabaseDescriptor.getMinFreeSpacePerDriveInBytes() + LEAST_ROOM_BYTES) {
          throw new IllegalStateException(
              "A stream or repair of "
                  + metadata
                  + " ends, since the disk of its temporary file is almost full: make room");
        }
      } catch (IOException e) {
        throw new FSReadError(e, new File(disk.name()));
      }
    }
  }

  /**
   * A range of a table is asked for; its partitions are asked for later, if it has any. Followed by
   * {@link Writing#found}.
   */
  Writing asked(TableMetadata metadata) {
    Writing writing = ASKING.get();
    if (writing == null || !writing.metadata.equals(metadata)) {
      writing = new Writing(metadata);
      ASKING.set(writing);
    }
    writing.before = dataFiles(metadata);
    writing.isAsking = true;
    synchronized (begun) {
      asked.add(writing);
    }
    return writing;
  }

  /** Whether somebody may make a file of a table of what he has asked for, and has not yet. */
  boolean areExpected(TableMetadata metadata) {
    synchronized (begun) {
      return asked.stream()
          .filter(writing -> writing.metadata.id.equals(metadata.id))
          .anyMatch(writing -> writing.isAsking || writing.hasPartitions);
    }
  }

  private void begins(Writing writing, Set<String> files) {
    synchronized (begun) {
      begun.add(new Begun(writing, files));
    }
    for (String file : files) {
      try {
        writing.disk = Files.getFileStore(new File(file).toPath());
      } catch (IOException e) {
        throw new FSReadError(e, new File(file));
      }
    }
    if (writing.disk != null) {
      writing.look();
    }
  }

  private static Set<String> dataFiles(TableMetadata metadata) {
    Set<String> files = new HashSet<>();
    for (File directory : new Directories(metadata).getCFDirectories()) {
      for (File file : directory.tryList((in, name) -> name.endsWith(Components.DATA.name()))) {
        files.add(file.path());
      }
    }
    return files;
  }

  /**
   * Whether nobody will finish it, of a file that is not finished.
   *
   * @param mayBeOlder whether it may have been begun by an earlier process
   */
  boolean isGivenUp(Descriptor file, Set<Component> components, boolean mayBeOlder) {
    String data = file.fileFor(Components.DATA).path();
    boolean isKnown = false;
    boolean hasEnded = false;
    synchronized (begun) {
      for (Begun each : begun) {
        boolean isOfIt = each.files.contains(data);
        isKnown |= isOfIt;
        hasEnded |= isOfIt && each.writing.get() == null;
      }
    }
    if (!hasEnded && (isKnown || !mayBeOlder)) {
      return false;
    }
    long changed = 0;
    for (Component component : components) {
      changed = Math.max(changed, file.fileFor(component).lastModified());
    }
    return System.currentTimeMillis() - changed > GIVEN_UP_MILLIS;
  }

  /** Forgets those that are finished or gone. */
  void forget() {
    synchronized (begun) {
      begun.removeIf(
          each ->
              each.writing.get() == null
                  && each.files.stream().noneMatch(file -> new File(file).exists()));
    }
  }
}
