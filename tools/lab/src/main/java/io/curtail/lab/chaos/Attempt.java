/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.io.IOException;

/** Something that may fail, and may be tried again. */
interface Attempt {
  void run() throws IOException, InterruptedException;
}
