/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.GenerationState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;

/** Why a table or a file of it cannot be absorbed now, and what to do. Thread-safe. */
final class AbsorbRefusals {
  /** RocksDB writes it to level 0 and below, before the file goes. */
  private static final int ROOM = 2;

  private final ColumnFamilyStore table;
  private final StoredTable memtable;

  AbsorbRefusals(ColumnFamilyStore table, StoredTable memtable) {
    this.table = table;
    this.memtable = memtable;
  }

  void refuseIfMoved() {
    if (memtable.store().state() != GenerationState.SERVING || memtable.isLeaving()) {
      throw moved();
    }
  }

  IllegalStateException moved() {
    return new IllegalStateException(
        memtable.name()
            + " was altered, emptied or dropped meanwhile, and is no more absorbed; what it has in"
            + " Cassandra's data files is served from there");
  }

  /** Not later: if it is emptied again, that is with another memtable. */
  void refuseIfEmptied() {
    if (memtable.isBeingEmptied()) {
      throw new IllegalStateException(
          memtable.name()
              + " is emptied now, and its data files go with its rows: absorb again when it is done");
    }
  }

  void refuseIfCopied() {
    if (memtable.store().changes() != null) {
      throw new IllegalStateException(
          memtable.name()
              + " is copied to Cassandra's data files, to move there: ALTER it now, or to give the"
              + " copy up, start the node again and absorb then");
    }
  }

  /** Why a file cannot be taken, though others can, and what to do; null if it can. */
  static String whyNot(SSTableReader file) {
    if (file.isPendingRepair()) {
      return file.getFilename()
          + " is of an incremental repair that goes on: absorb again when it has ended (nodetool"
          + " repair_admin)";
    }
    if (file.isMarkedSuspect()) {
      return file.getFilename()
          + " is damaged: nodetool scrub the table, then absorb again, and repair the node";
    }
    if (file.getSSTableMetadata().hasLegacyCounterShards) {
      return file.getFilename()
          + " has counters as Cassandra 2.0 wrote them, which cannot be written twice: they stay in"
          + " Cassandra's data files";
    }
    return null;
  }

  /** An index or a view is built from data files; each file that is missing is missing in it. */
  void refuse() {
    refuseIfCopied();
    TableMetadata metadata = memtable.metadata();
    if (metadata.isIndex()) {
      return;
    }
    for (IndexMetadata index : metadata.indexes) {
      if (table.indexManager.isIndexBuilding(index.name)
          || !SystemKeyspace.isIndexBuilt(metadata.keyspace, index.name)) {
        throw new IllegalStateException(
            "the index "
                + index.name
                + " on "
                + memtable.name()
                + " is not built: absorb again when it is; if no build goes on, DROP INDEX and CREATE"
                + " INDEX");
      }
    }
    for (ViewMetadata view :
        Schema.instance.getKeyspaceMetadata(metadata.keyspace).views.forTable(metadata.id)) {
      if (!SystemKeyspace.isViewBuilt(metadata.keyspace, view.name())) {
        throw new IllegalStateException(
            "the view "
                + view.name()
                + " of "
                + memtable.name()
                + " is not built: absorb again when it is (nodetool viewbuildstatus)");
      }
    }
  }

  /**
   * Comes before the rest of a file is written.
   *
   * @param read how much of it was, in bytes as it is on the disk
   */
  void refuseIfNoRoom(SSTableReader file, long read) {
    Path directory = Path.of(memtable.store().database.directory);
    long needed = (file.onDiskLength() - read) * ROOM;
    long room;
    try {
      room = Directories.getAvailableSpaceForCompactions(Files.getFileStore(directory));
    } catch (IOException e) {
      throw new FSReadError(e, new File(directory));
    }
    if (room < needed) {
      throw new IllegalStateException(
          memtable.name()
              + ": to absorb "
              + file.getFilename()
              + " takes "
              + needed
              + " bytes on the disk of "
              + directory
              + ", where Cassandra's compactions may use "
              + room
              + ": make room, then absorb again");
    }
  }
}
