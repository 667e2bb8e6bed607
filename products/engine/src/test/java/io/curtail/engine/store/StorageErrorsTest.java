/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.junit.jupiter.api.Test;

class StorageErrorsTest {
  /** Of what a directory that is another user's lets a node do, the JDK says its name alone. */
  @Test
  void should_say_what_is_wrong_with_a_file() {
    assertThat(StorageErrors.why(new AccessDeniedException("/rocks/native")))
        .isEqualTo("java.nio.file.AccessDeniedException: /rocks/native");
    assertThat(StorageErrors.why(new IOException("CURRENT is gone"))).isEqualTo("CURRENT is gone");
  }
}
