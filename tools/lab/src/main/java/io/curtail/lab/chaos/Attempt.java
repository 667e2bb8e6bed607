/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;

/** Something that may fail, and may be tried again. */
interface Attempt {
  void run() throws IOException, InterruptedException;

  /** What is done before the next try. */
  interface Pause {
    void after(Exception failure) throws IOException, InterruptedException;
  }

  /** Tries until it works; what fails the last time is thrown. */
  static void repeat(int tries, Attempt attempt, Pause pause)
      throws IOException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        attempt.run();
        return;
      } catch (IOException | IllegalStateException | DriverException e) {
        if (i == tries) {
          throw e;
        }
        pause.after(e);
      }
    }
  }
}
