/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import java.io.IOException;

/**
 * Something wrong with one node, from the moment it is made until it is closed. It also ends when
 * this process dies, even by SIGKILL, unless its documentation says otherwise.
 */
public interface Fault extends AutoCloseable {
  /** Puts the node right. Closing twice does nothing. */
  @Override
  void close() throws IOException;
}
