/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FaultThreadTest {
  /** As a run closes a fault when it is over, and its try statement once more. */
  @Test
  void should_say_what_failed_when_it_is_closed_twice() {
    assertThatThrownBy(
            () -> {
              try (Fault fault = FaultThread.start("failing", own -> fail())) {
                end(fault);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage("the node is gone");
  }

  private static void fail() throws IOException {
    throw new IOException("the node is gone");
  }

  private static void end(Fault fault) throws IOException {
    fault.close();
  }
}
