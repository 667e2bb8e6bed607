/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import java.io.IOException;

/** One thing that the demo shows. */
interface Act {
  /** In a few words. */
  String name();

  /** What happens, for someone who has not read the docs. */
  String explanation();

  /** Shows it on the stage's cluster. */
  Scene play(Stage stage) throws IOException, InterruptedException;
}
