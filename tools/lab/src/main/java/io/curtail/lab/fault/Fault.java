/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import java.io.IOException;

/**
 * Something wrong with one node, from the moment it is made until it is closed. It also ends when
 * this process dies, even by SIGKILL, unless its documentation says otherwise.
 */
public interface Fault extends AutoCloseable {

  LabNode node();

  /** In words for a report, such as {@code +10 ms on what node 3 sends}. */
  String description();

  /** Puts the node right. Closing twice does nothing. */
  @Override
  void close() throws IOException;
}
