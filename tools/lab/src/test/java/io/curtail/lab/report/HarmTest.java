/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.RunQuality;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadResults;
import io.curtail.lab.meter.ReadsServed;
import io.curtail.lab.scenario.Scenarios;
import io.curtail.report.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HarmTest {
  private final Scenario scenario = Scenarios.named("rough-day-overload");
  private final Condition condition = scenario.conditions(ScenarioSettings.DEFAULT).get(0);
  private final ConditionResult result =
      new ConditionResult(condition, List.of("stock", "same", "slow", "copying"));

  HarmTest() {
    for (int block = 1; block <= 3; block++) {
      long noise = block;
      result.add(
          List.of(
              run(block, "stock", LoadResults.of(8, n -> 50_000 + noise)),
              run(block, "same", LoadResults.of(8, n -> 51_000 - noise)),
              run(block, "slow", LoadResults.of(8, n -> n % 20 == 0 ? 90_000 : 49_000 + noise)),
              run(block, "copying", LoadResults.withErrorsAndCopies(8, 8, 40))));
    }
  }

  private ArmRun run(int block, String arm, LoadResult loaded) {
    return new ArmRun(
        condition,
        arm,
        block,
        1,
        false,
        List.of(),
        7,
        loaded,
        new ReadsServed(Map.of()),
        0.25,
        1.5,
        null,
        new RunQuality(0.1, 0, 0, 0.01),
        List.of(),
        null);
  }

  private Harm of(String arm) {
    return Harm.of(result, new Comparison(result, List.of(result), 1), arm);
  }

  @Test
  void should_find_nothing_worse_when_arms_differ_by_less_than_noise() {
    assertThat(of("same").worse()).isEmpty();
    assertThat(of("same").words()).isEqualTo("nothing");
  }

  @Test
  void should_name_what_got_worse() {
    assertThat(of("slow").worse()).containsExactly("p99");
    assertThat(of("copying").worse()).contains("errors", "copies");
    assertThat(of("copying").copies()).isCloseTo(0.05, within(1e-9));
    assertThat(of("copying").errors()).isCloseTo(0.01, within(1e-9));
  }

  @Test
  void should_count_copies_that_were_sent_not_those_that_were_due() throws Exception {
    ConditionResult copying = new ConditionResult(condition, List.of("stock", "hedged"));
    copying.add(
        List.of(
            run(1, "stock", LoadResults.of(8, n -> 1_000)),
            run(1, "hedged", LoadResults.withPolicyCounts(8))));
    CampaignReport report =
        new CampaignReport(
            List.of(scenario), List.of(copying), ScenarioSettings.DEFAULT, Map.of(), false);
    JsonNode arms = Json.tree(report.data()).at("/conditions/0/arms");
    assertThat(arms.at("/0").has("secondCopies")).isFalse();
    assertThat(arms.at("/1/copies").asDouble()).isEqualTo(0.03);
    JsonNode copies = arms.at("/1/secondCopies");
    assertThat(copies.at("/asked").asDouble()).isEqualTo(0.05);
    assertThat(copies.at("/sent").asDouble()).isEqualTo(0.03);
    assertThat(copies.at("/won").asDouble()).isEqualTo(0.02);
    assertThat(copies.at("/refusedByBudget").asDouble()).isEqualTo(0.01);
    assertThat(copies.at("/refusedTooEarly").asDouble()).isEqualTo(0.01);
    assertThat(copies.at("/delayMillis").asDouble()).isEqualTo(7);
    assertThat(CopyShares.table(copying).toText()).contains("hedged", "7 ms", "5 %");
  }

  @Test
  void should_be_in_the_report_of_a_scenario_that_asks() {
    String text =
        new CampaignReport(
                List.of(scenario), List.of(result), ScenarioSettings.DEFAULT, Map.of(), false)
            .toText();
    assertThat(text).contains("What got worse than with the first arm", "errors, copies");
  }
}
