/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;

/**
 * The wall clock of the node under trial, which stands still until it is told to go on: so both
 * tables are written and read at the same moment, and years pass at once.
 */
public final class NodeTime {
  private long seconds;

  public NodeTime(long startSeconds) {
    seconds = startSeconds;
  }

  public long seconds() {
    return seconds;
  }

  public void pass(NodeProcess node, long more) throws IOException {
    seconds += more;
    node.cql("CALL " + NodeSettings.CLOCK + " set " + seconds);
  }

  /** Time passes while the node is down; it starts with the clock at {@link #seconds}. */
  public void passWhileDown(long more) {
    seconds += more;
  }
}
