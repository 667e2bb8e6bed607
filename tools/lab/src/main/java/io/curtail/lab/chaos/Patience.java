/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.io.IOException;

/** Does something again until it works. */
interface Patience {
  void run(Attempt attempt) throws IOException, InterruptedException;
}
