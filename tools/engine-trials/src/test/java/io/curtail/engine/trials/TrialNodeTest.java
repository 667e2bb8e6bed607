/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrialNodeTest {
  @Test
  void should_keep_the_parameters_that_the_user_gave() {
    TrialNode node = new TrialNode(List.of(), Map.of("block_cache", "1MiB"));
    Map<String, String> defaults = Map.of("block_cache", "2MiB", "merge", "java");
    assertThat(node.withDefaults(defaults).parameters())
        .isEqualTo(Map.of("block_cache", "1MiB", "merge", "java"));
  }
}
