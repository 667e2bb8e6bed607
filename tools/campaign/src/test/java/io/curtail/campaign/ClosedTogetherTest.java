/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosedTogetherTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void should_close_the_others_when_some_fail() {
    assertThatThrownBy(
            () -> ClosedTogether.all(List.of("first", "failing", "broken", "last"), this::close))
        .isInstanceOf(IOException.class)
        .hasMessage("failing")
        .hasSuppressedException(new IOException(new IllegalStateException("broken")));
    assertThat(closed).containsExactly("first", "last");
  }

  @Test
  void should_say_nothing_when_none_fails() throws IOException {
    ClosedTogether.all(List.of("first", "last"), this::close);
    assertThat(closed).containsExactly("first", "last");
  }

  private void close(String thing) throws IOException {
    if (thing.equals("failing")) {
      throw new IOException(thing);
    }
    if (thing.equals("broken")) {
      throw new IllegalStateException(thing);
    }
    closed.add(thing);
  }
}
