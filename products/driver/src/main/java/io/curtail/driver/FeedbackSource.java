/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.Feedback;

/** A session that sees what nodes report of themselves. Thread-safe. */
interface FeedbackSource {
  /** Told of answers on the threads of the driver's connections; must neither block nor throw. */
  interface Listener {
    /**
     * The node answered a request, also one that nobody waits for any more.
     *
     * @param feedback null if it reported nothing
     */
    void onAnswer(Node node, @Nullable Feedback feedback);
  }

  void addListener(Listener listener);

  void removeListener(Listener listener);
}
