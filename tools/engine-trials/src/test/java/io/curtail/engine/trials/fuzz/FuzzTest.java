/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.trials.TrialNode;
import io.curtail.testnode.PackedClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The gate of the fuzzer, which {@code curtail engine fuzz} runs for as long as one likes. */
class FuzzTest {
  private static final long SEED = Long.getLong("curtail.seed", 1);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path home;

  @Test
  void should_answer_as_the_stock_memtable_when_scripts_are_random() throws IOException {
    Path jars = Files.createDirectory(home.resolve("jars"));
    Fuzz fuzz =
        new Fuzz(
            new TrialNode(PackedClassPath.in(jars), Map.of()),
            home.resolve("node"),
            60,
            1_800_000_000L,
            System.out::println);
    Fuzz.Result result = fuzz.run(SEED, 25, 40);
    assertThat(result.failures()).isEmpty();
    assertThat(result.scripts()).isPositive();
  }

  /** A memtable that cannot be made fails in each script. */
  @Test
  void should_have_a_failure_before_its_script_is_made_shorter() throws IOException {
    Path jars = Files.createDirectory(home.resolve("failing-jars"));
    TrialNode nodes = new TrialNode(PackedClassPath.in(jars), Map.of("merge", "none"));
    List<List<String>> found = new ArrayList<>();
    AtomicReference<Fuzz> fuzz = new AtomicReference<>();
    fuzz.set(
        new Fuzz(
            nodes,
            home.resolve("failing"),
            5,
            1_800_000_000L,
            line -> found.add(fuzz.get().soFar().failures())));
    Fuzz.Result result = fuzz.get().run(SEED, 1, 0);
    assertThat(found.get(0)).singleElement().asString().contains("(not made shorter)");
    assertThat(result.failures()).singleElement().asString().doesNotContain("(not made shorter)");
    assertThat(found.get(found.size() - 1)).isEqualTo(result.failures());
  }

  @Test
  void should_be_the_same_script_when_the_seed_is() {
    assertThat(Fuzz.describe(7, 50))
        .isEqualTo(Fuzz.describe(7, 50))
        .isNotEqualTo(Fuzz.describe(8, 50));
  }

  @Test
  void should_find_the_shortest_script_when_two_steps_matter() throws IOException {
    Script script = Script.random(11, 80);
    ScriptStep first = script.steps().get(10);
    ScriptStep second = script.steps().get(40);
    Shrinker shrinker =
        new Shrinker(
            candidate -> {
              int at = candidate.steps().lastIndexOf(second);
              return candidate.steps().contains(first) && at >= 0
                  ? new ScriptBatch.Failure(candidate, at, "differs")
                  : null;
            });
    ScriptBatch.Failure shortest = shrinker.shrink(new ScriptBatch.Failure(script, 60, "differs"));
    assertThat(shortest.script().steps()).contains(first, second).hasSizeLessThan(4);
  }
}
