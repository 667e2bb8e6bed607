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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({
    "'adaptive,adaptive.memmory=1s', 'adaptive.memmory; there are adaptive.clients, adaptive.'",
    "'stock-default,slow-replicas=1', 'slow-replicas; there are adaptive.clients, adaptive.'",
    "'adaptive-hedged,advanced.speculative-execution-policy.shar=0.1',"
        + "'advanced.speculative-execution-policy.shar; there are advanced.speculative-execution-p'",
    "'adaptive,advanced.throttler.class=io.curtail.driver.AdaptiveThrottler,"
        + "advanced.throttler.adaptive.in-flight=9',"
        + "'advanced.throttler.adaptive.in-flight; there are advanced.throttler.adaptive.max-in'"
  })
  void should_refuse_an_option_that_nothing_looks_at(String policy, String message) {
    assertThatThrownBy(() -> Policy.parse(policy))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("policy: no such option: " + message);
  }

  @Test
  void should_take_any_option_of_a_class_of_anothers_making() {
    String own = PolicyTest.class.getName();
    assertThat(Policy.parse(own + ",own=1").options()).containsEntry("own", "1");
    String throttler = "advanced.throttler.";
    assertThat(
            Policy.parse(
                    "adaptive,%sclass=com.example.Slow,%sown=1".formatted(throttler, throttler))
                .others())
        .containsEntry(throttler + "own", "1");
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
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CURTAIL_CLASS_PATH");
  }
}
