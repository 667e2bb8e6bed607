/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.cli.Terminal;
import io.curtail.engine.trials.cost.TableCosts;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials of the engine, each so short that it finds nothing. */
class EngineCommandTest {
  @TempDir private Path folder;
  private final Terminal terminal = new Terminal();

  @Test
  void should_print_the_same_script_when_the_seed_is_the_same() {
    assertThat(terminal.run("engine fuzz --print --seed 7 --operations 5")).isZero();
    String first = terminal.out();
    assertThat(first).startsWith("from seed 7: ").contains("CREATE TABLE");
    assertThat(terminal.run("engine fuzz --print --seed 7 --operations 5")).isZero();
    assertThat(terminal.out()).isEqualTo(first);
  }

  @Test
  void should_run_scripts_and_kills_and_tell_of_them_as_json() throws IOException {
    String fuzz = "engine fuzz --schemas 1 --operations 10 --seed 3 --json --directory ";
    assertThat(terminal.run(fuzz + folder.resolve("fuzz"))).as(terminal.err()).isZero();
    JsonNode report = terminal.json();
    assertThat(report.get("results").get("from seed 3").get("scripts").asInt()).isOne();
    assertThat(report.get("command").asText()).startsWith("curtail engine fuzz --schemas 1");
    assertThat(report.get("versions").get("cassandra").asText()).startsWith("5.0.");
    assertThat(report.get("machine").get("processors").asInt()).isPositive();
    String crash = "engine crash --kills 1 --sync batch --json --directory ";
    assertThat(terminal.run(crash + folder.resolve("crash"))).as(terminal.err()).isZero();
    assertThat(terminal.out()).contains("\"sync batch\"", "\"kills\" : 1");
  }

  @Test
  void should_hold_what_requests_cost_against_the_stock_memtable() throws IOException {
    String bench =
        "bench engine --only LIMIT --pairs 2 --iteration-millis 10 --profile --json"
            + " --parameter record_cache=0MiB --out "; // what is kept touches no block
    int code = terminal.run(bench + folder + " --directory " + folder.resolve("bench"));
    JsonNode results = terminal.json();
    assertThat(results.get("turns")).as(terminal.err()).hasSize(8);
    for (JsonNode turn : results.get("turns")) {
      assertThat(turn.get("blocks").asDouble()).isPositive();
      boolean isStock = turn.get("storage").asText().equals(TableCosts.STOCK);
      assertThat(turn.get("nativeCalls").asDouble() > 0).isEqualTo(!isStock);
    }
    assertThat(results.get("budgets")).hasSize(4);
    assertThat(code).isEqualTo(results.get("withinBudget").asBoolean() ? 0 : 1);
    assertThat(folder.resolve("bench-engine.json")).hasContent(terminal.out());
    assertThat(results.get("profiles")).hasSize(4);
    for (JsonNode profile : results.get("profiles")) {
      JsonNode shares = profile.get("shares");
      boolean isStock = profile.get("storage").asText().equals(TableCosts.STOCK);
      assertThat(shares.get("TABLE").asDouble()).isPositive();
      assertThat(shares.get("ROCKSDB").asDouble() > 0).isEqualTo(!isStock);
    }
    assertThat(folder.resolve("engine-first-trie.html"))
        .content()
        .contains("queryMemtableAndDisk", "measure") // above all that a table does
        .doesNotContain("rocksdb::");
    assertThat(folder.resolve("engine-first-rocksdb.html")).content().contains("rocksdb::");
  }

  @Test
  void should_hold_what_files_cost_against_writes() throws IOException {
    String bench = "bench absorb --pairs 1 --rows 3000 --json --out ";
    int code = terminal.run(bench + folder + " --directory " + folder.resolve("absorb"));
    JsonNode results = terminal.json();
    assertThat(results.get("turns").fieldNames())
        .as(terminal.err())
        .toIterable()
        .containsExactlyInAnyOrder("files", "writes");
    for (JsonNode turns : results.get("turns")) {
      assertThat(turns).hasSize(1);
      assertThat(turns.get(0).get("cpuMillis").asDouble()).isPositive();
      assertThat(turns.get(0).get("writtenBytes").asDouble()).isNotNegative(); // 0 in memory
    }
    assertThat(results.get("budgets")).hasSize(2);
    assertThat(code).isEqualTo(results.get("withinBudget").asBoolean() ? 0 : 1);
    assertThat(folder.resolve("bench-absorb.json")).hasContent(terminal.out());
  }

  /** Too few for any budget to mean something. */
  @Test
  void should_count_what_each_compaction_writes() throws IOException {
    String bench = "bench compaction --rows 3000 --json --out ";
    int code = terminal.run(bench + folder + " --directory " + folder.resolve("compaction"));
    JsonNode results = terminal.json();
    assertThat(results.get("costs")).as(terminal.err()).hasSize(3);
    for (JsonNode cost : results.get("costs")) {
      assertThat(cost.get("loaded").asDouble()).isGreaterThanOrEqualTo(1);
      assertThat(cost.get("flushed").asDouble()).isBetween(0.5, 1.1);
      assertThat(cost.get("mostDisk").asDouble()).isGreaterThanOrEqualTo(1);
    }
    assertThat(code).isEqualTo(results.get("withinBudget").asBoolean() ? 0 : 1);
    assertThat(folder.resolve("bench-compaction.json")).hasContent(terminal.out());
  }

  @ParameterizedTest
  @CsvSource({
    "bench compaction --rows 9, 2, '--rows must be from 1,000 to 10,000,000, not 9'",
    "bench absorb --rows 9, 2, '--rows must be from 1,000 to 10,000,000, not 9'",
    "bench absorb --pairs 0, 2, '--pairs must be from 1 to 1,000, not 0'",
    "bench absorb --directory /proc, 2, '--directory: /proc exists already'",
    "bench absorb --parameter ingest_from=1MiB, 2, '--parameter: ingest_from: that is what the two'",
    "bench compaction --parameter merge=java, 2, '--parameter: what is compared here has its own'",
    "engine full-disk --parameter path=/tmp, 2, '--parameter: path: say --disk'",
    "bench engine --only nothing, 2, '--only: no row has ''nothing'' in its name'",
    "engine crash --kills 0, 2, '--kills must be from 1 to 100,000, not 0'",
    "engine crash --sync never, 2, '--sync must be of periodic, batch and group'",
    "engine crash --parameter sync=batch, 2, '--parameter: for this one say --sync batch'",
    "engine full-disk --parameter sync=batch, 2, '--parameter: for this one say --sync batch'",
    "engine crash --max-seconds -1, 2, '--max-seconds must be 0 or more'",
    "engine crash --directory /proc, 2, '--directory: /proc exists already'",
    "engine fuzz --schemas 0, 2, '--schemas must be from 1 to 10,000,000, not 0'",
    "engine fuzz --operations 0, 2, '--operations must be from 1 to 100,000, not 0'",
    "engine fuzz --year 1999, 2, '--year must be from 2,026 to 2,105, not 1,999'",
    "engine fuzz --seed one, 2, Invalid value for option '--seed'",
    "engine chaos --nodes 3, 2, '--nodes must be from 4 to 7, not 3'",
    "engine chaos --runs 0, 2, '--runs must be from 1 to 1,000, not 0'",
    "engine chaos --minutes 0, 2, '--minutes must be from 1 to 10,000, not 0'",
    "engine crash --stock --sync batch, 2, '--stock: there is no engine whose log takes a --sync'",
    "engine crash --stock --parameter merge=java, 2, '--stock: there is no engine that takes a"
        + " --parameter'",
    "engine chaos --seconds 0, 2, '--seconds must be from 1 to 86,400, not 0'",
    "engine stream --rows 9, 2, '--rows must be from 100 to 100,000,000, not 9'",
    "engine stream --rate 0, 2, '--rate: more than 0 requests a second'",
    "engine stream --pairs 0, 2, '--pairs must be from 1 to 1,000, not 0'",
    "engine stream --heap 9, 2, 'heap: 256 to 16384 MiB'",
    "engine stream --memory 4000, 2, '--memory: the node that joins would have no limit'",
    "engine stream --directory /proc, 2, '--directory: /proc exists already'",
    "engine full-disk --sync none, 2, '--sync must be of periodic, batch and group'",
    "engine full-disk --disk /proc/none, 2, '--disk: '"
  })
  void should_say_what_is_wrong_in_one_line(String command, int exitCode, String message) {
    assertThat(terminal.run(command)).isEqualTo(exitCode);
    assertThat(terminal.err().strip()).startsWith("curtail: ").contains(message).hasLineCount(1);
    assertThat(terminal.out()).isEmpty();
  }
}
