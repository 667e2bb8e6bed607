/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.RunQuality;
import io.curtail.lab.load.KeyDistribution;
import io.curtail.lab.load.LoadResults;
import io.curtail.lab.load.LoadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoReportTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "10, 30, fewer wait",
    "17, 30, fewer wait",
    "25, 30, as stock",
    "30, 30, as stock",
    "45, 30, as stock",
    "60, 30, worse than stock",
    "0, 0, as stock"
  })
  void should_say_only_what_is_clear(double curtail, double stock, String words) {
    assertThat(Judgement.words(curtail, stock, "fewer wait")).isEqualTo(words);
  }

  @Test
  void should_end_with_a_table_and_leave_a_page() throws Exception {
    Act act = new KilledNodeAct();
    Scene scene = new Scene(act.name(), "rows lost", "0", "0", "nothing lost");
    DemoReport report = new DemoReport(List.of(act), List.of(scene), List.of(), false);

    report.write(folder);

    assertThat(report.isSuccess()).isTrue();
    assertThat(report.toText()).contains("what happened", "rows lost", "nothing lost");
    assertThat(report.toText().lines()).allMatch(line -> line.length() <= 100);
    assertThat(Files.readString(folder.resolve("report.html")))
        .contains("nothing lost", act.explanation());
    assertThat(Files.readString(folder.resolve("report.json"))).contains("\"seen\"");
  }

  @Test
  void should_draw_what_an_act_measured() {
    Act act = ComparedAct.nearestZone();
    LoadSpec load =
        LoadSpec.openLoop(100, Duration.ofSeconds(10), KeyDistribution.named("uniform", 2));
    Condition condition = Condition.of("demo", act.name(), load, 1);
    ConditionResult result = new ConditionResult(condition, List.of("stock", "curtail"));
    RunQuality good = new RunQuality(0, 0, 0, 0);
    for (String arm : result.arms()) {
      result.add(
          List.of(
              new ArmRun(
                  condition,
                  arm,
                  1,
                  1,
                  false,
                  List.of(),
                  7,
                  LoadResults.of(10, n -> 1_000),
                  null,
                  0,
                  0,
                  null,
                  good,
                  List.of(),
                  null)));
    }

    DemoReport report = new DemoReport(List.of(act), List.of(), List.of(result), true);

    assertThat(report.page().toHtml()).contains("Latency by percentile");
  }

  @Test
  void should_fail_when_a_row_was_lost() {
    Act act = new KilledNodeAct();
    Scene scene = new Scene(act.name(), "rows lost", "0", "1", KilledNodeAct.LOST);

    assertThat(new DemoReport(List.of(act), List.of(scene), List.of(), false).isSuccess())
        .isFalse();
  }

  @Test
  void should_not_call_a_demo_whole_that_was_interrupted() {
    DemoReport report = new DemoReport(List.of(new KilledNodeAct()), List.of(), List.of(), true);

    assertThat(report.isEmpty()).isTrue();
    assertThat(report.isSuccess()).isFalse();
    assertThat(report.toText()).contains("interrupted");
  }
}
