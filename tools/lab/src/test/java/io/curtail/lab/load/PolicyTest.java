/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.driver.AdaptivePolicy;
import io.curtail.driver.AdaptiveSpeculativeExecution;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyTest {
  @Test
  void should_know_policies_by_name_and_by_class() {
    assertThat(Policy.parse("stock-basic")).isEqualTo(Policy.STOCK_BASIC);
    assertThat(Policy.parse("adaptive").className()).isEqualTo(AdaptivePolicy.class.getName());
    assertThat(Policy.parse("adaptive-hedged,adaptive.probe-share=0").others())
        .containsEntry(
            "advanced.speculative-execution-policy.class",
            AdaptiveSpeculativeExecution.class.getName());
    Policy policy = Policy.parse(PolicyTest.class.getName());
    assertThat(policy.name()).isEqualTo("PolicyTest");
    assertThat(policy.className()).isEqualTo("io.curtail.lab.load.PolicyTest");
  }

  @Test
  void should_take_options_after_commas() {
    Policy policy = Policy.parse("weighted-least-loaded,weighted.non-rack=2,weighted.starting=1");
    assertThat(policy.options())
        .containsEntry("weighted.non-rack", "2")
        .containsEntry("weighted.starting", "1");
    assertThat(policy.className()).isEqualTo(Policy.WEIGHTED_LEAST_LOADED.className());
  }

  @Test
  void should_take_options_of_other_parts_by_their_whole_path() {
    String delay = "advanced.speculative-execution-policy.delay";
    Policy policy = Policy.parse("stock-speculative," + delay + "=50 milliseconds");
    assertThat(policy.others())
        .containsEntry(delay, "50 milliseconds")
        .containsEntry("advanced.speculative-execution-policy.max-executions", "2");
    assertThat(policy.options()).isEmpty();
  }

  @Test
  void should_remember_for_as_much_longer_as_requests_take() {
    assertThat(Policy.ADAPTIVE_HEDGED.inSlowMotion(50).options())
        .containsExactly(Map.entry("adaptive.memory", "2500 milliseconds"));
    assertThat(Policy.ADAPTIVE_HEDGED.inSlowMotion(50).others())
        .isEqualTo(Policy.ADAPTIVE_HEDGED.others());
    assertThat(Policy.ADAPTIVE.inSlowMotion(1)).isEqualTo(Policy.ADAPTIVE);
    assertThat(Policy.STOCK_DEFAULT.inSlowMotion(50)).isEqualTo(Policy.STOCK_DEFAULT);
    Policy chosen = Policy.parse("adaptive,adaptive.memory=1s");
    assertThat(chosen.inSlowMotion(50)).isEqualTo(chosen);
  }

  @Test
  void should_say_what_is_known_when_it_knows_no_such_policy() {
    assertThatThrownBy(() -> Policy.parse("fastest"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stock-default")
        .hasMessageContaining("\"fastest\"");
    assertThatThrownBy(() -> Policy.parse("stock-basic,nonsense"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Policy.parse("com.example.Missing"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
