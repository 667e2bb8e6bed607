/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.AbstractMemtableWithCommitlog;
import org.apache.cassandra.schema.TableMetadataRef;

/** A memtable that Cassandra 5.0 asks whether it may be switched. */
abstract class SwitchedMemtable extends AbstractMemtableWithCommitlog {
  /** What the names of snapshots begin with that a {@code TRUNCATE} takes. */
  static final String SNAPSHOT_OF_TRUNCATION = ColumnFamilyStore.SNAPSHOT_TRUNCATE_PREFIX;

  SwitchedMemtable(
      TableMetadataRef metadata, AtomicReference<CommitLogPosition> commitLogLowerBound) {
    super(metadata, commitLogLowerBound);
  }
}
