/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Both ends of a call, without the node between them. */
class NodeCallTest {

  /** Called by its name. */
  public static final class Actions {
    private Actions() {}

    public static List<String> pair(String first, String second) {
      return List.of(first, second);
    }

    public static String nothing() {
      return "done";
    }
  }

  @Test
  void should_pass_on_arguments_with_spaces() throws Throwable {
    assertThat(called("pair", "/a tree/notes", "two\nlines"))
        .isEqualTo("[/a tree/notes, two\nlines]");
    assertThat(called("pair", "", "ä+%20&")).isEqualTo("[, ä+%20&]");
  }

  @Test
  void should_call_what_takes_nothing() throws Throwable {
    assertThat(called("nothing")).isEqualTo("done");
  }

  private static String called(String method, String... arguments) throws Throwable {
    String line = NodeProcess.line(Actions.class, method, arguments);
    assertThat(line).hasLineCount(1);
    return NodeMain.call(line).get(0);
  }
}
