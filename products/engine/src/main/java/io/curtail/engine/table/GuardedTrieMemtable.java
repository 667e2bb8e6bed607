/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.OpenTrieMemtable;
import org.apache.cassandra.schema.TableMetadataRef;

/** Cassandra's TrieMemtable, with a {@link MoveGuard}. */
public class GuardedTrieMemtable extends OpenTrieMemtable {
  private final MoveGuard guard;

  /** As Cassandra makes its own. */
  public GuardedTrieMemtable(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner,
      Memtable.Factory stock,
      MoveGuard guard) {
    super(commitLogLowerBound, metadata, owner, stock);
    this.guard = guard;
  }

  @Override
  public final boolean isClean() {
    return super.isClean() && guard.isClean();
  }

  @Override
  public final CommitLogPosition getCommitLogLowerBound() {
    return guard.lowerBound(super.getCommitLogLowerBound());
  }

  @Override
  public final LastCommitLogPosition getFinalCommitLogUpperBound() {
    return guard.upperBound(super.getFinalCommitLogUpperBound());
  }

  @Override
  public final LifecycleTransaction setFlushTransaction(LifecycleTransaction transaction) {
    guard.flushes();
    return super.setFlushTransaction(transaction);
  }

  @Override
  protected final boolean isFlushing() {
    return guard.isFlushing();
  }
}
