/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.cli.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands refuse; with real nodes they are tested where the lab is. */
class LabCommandTest {
  private final Terminal terminal = new Terminal();

  @ParameterizedTest
  @CsvSource({
    "lab start --nodes 13, 2, 'curtail: nodes: must be 1 to 12, not 13'",
    "lab start --nodes 2 --zones 3, 2, 'curtail: zones: 3 need at least as many nodes, not 2'",
    "lab start --heap 10, 2, 'curtail: heap: must be 192 to 16384 MiB, not 10'",
    "lab start --class-path /none.jar, 2, 'curtail: class path: no such file: /none.jar'",
    "'lab start --yaml hints={a', 2, 'curtail: --yaml: no value of hints: ''{a'''",
    "lab run soak zones, 2, 'curtail: scenario: soak runs alone'",
    "'lab run soak --mix A,B', 2, 'curtail: --mix, --rate: a soak takes one of each'",
    "'lab run soak --rate 100,200', 2, 'curtail: --mix, --rate: a soak takes one of each'",
    "lab run zones fluctuation, 2, 'curtail: say --slow-motion: zones, fluctuation have each their'",
    "lab run zones --nodes 13, 2, 'curtail: nodes: 1 to 12'",
    "lab run fluctuation --nodes 0, 2, 'curtail: nodes: 1 to 12'",
    "lab run zones --client-zones D, 2, 'curtail: client-zones: some of A, B, C, not D'",
    "lab run zones --rows 1, 2, 'curtail: rows: at least 2'",
    "lab run steady --clients 0, 2, 'curtail: clients: 1 to 1000'",
    "lab run fluctuation --interval -1, 2, 'curtail: interval: 0 ms or more'",
    "lab run zones --max-foreign-cpu 2, 2, 'curtail: max-foreign-cpu: a share between 0 and 1'",
    "lab run zones --seconds 1, 2, 'curtail: seconds: at least 2'",
    "lab run zones --warm-up -5, 2, 'curtail: warm-up: 0 seconds or more'",
    "lab run fluctuation zones --coordinators 1, 2, 'curtail: --coordinators is for fluctuation, a'",
    "lab run zones --policy adaptive --policy adaptive, 2, 'curtail: policy: adaptive twice'",
    "lab run fluctuation --server rank --server rank, 2, 'curtail: server: c3 twice'",
    "lab run engine-vs-stock --off-heap 1, 2, 'curtail: off-heap: 64 to 65536 MiB'",
    "lab run engine-vs-stock --memory 900, 2, 'curtail: memory: at least heap and off-heap together'",
    "lab run engine-vs-stock --table none, 2, 'curtail: table: rows, emp or small, not \"none\"'",
    "lab run small-faults-server, 2, 'curtail: small-faults-server: needs --network NAMESPACES, or'",
    "lab run c3-vs-snitch --network NAMESPACES, 2, 'curtail: c3-vs-snitch: not with --network'",
    "lab run fluctuation --network NAMESPACES, 2, 'curtail: fluctuation: not with --network NAM'",
    "lab run c3-workloads --network NAMESPACES, 2, 'curtail: c3-workloads: not with --network N'",
    "lab run rough-day-refusals --network NAMESPACES, 2, 'curtail: rough-day-refusals: not with '",
    "lab run engine-vs-stock --network NAMESPACES, 2, 'curtail: engine-vs-stock: not with --netw'",
    "lab run soak --network NAMESPACES, 2, 'curtail: soak: not with --network NAMESPACES, since'",
    "lab run c3-vs-snitch --server rnk, 2, 'curtail: server: one of stock, off, observe, rank, rank+'",
    "'lab run zones --server stock', 2, 'curtail: server: observe, rank or rank+rate where clients'",
    "'lab run zones --server off', 2, 'curtail: server: observe, rank or rank+rate where clients'",
    "'lab run small-faults --server rank --server off', 2, 'curtail: server: one mode, of all nod'",
    "'lab run fluctuation --server rank,foo=1', 2, 'curtail: server: there is no setting ''foo'''",
    "'lab run fluctuation --server rank,refresh_ms=soon', 2, 'curtail: server: refresh_ms: must be a '",
    "'lab run soak --server rank,policy=best', 2, 'curtail: server: '",
    "'lab run c3-vs-snitch --server stock,speculative_retry=99p', 2, 'curtail: server: the arms of '",
    "'lab run soak --server rank,speculative_retry=99p', 2, 'curtail: server: the arms of '",
    "'lab run fluctuation --server stock,speculative_retry=99', 2, 'curtail: server: speculative_re'",
    "lab run fluctuation --speculative-retry 150p, 2, 'curtail: speculative-retry: never, always, or'",
    "'lab run zones --policy adaptive,adaptive.foo=1', 2, 'curtail: policy: no such option: adaptive.'",
    "lab run engine-vs-stock --parameter block_cache=1GiB, 2, 'curtail: parameter: block_cache is the lab''s'",
    "lab run small-faults --delay 0, 2, 'curtail: delay: more than 0 ms, each'",
    "lab stop nothing, 1, 'curtail: no lab in '",
    "lab stop nothing --all, 2, 'curtail: --all: stops every lab, so give none'",
    "lab zones nothing, 1, 'curtail: no lab in '",
    "lab zones --probes 0, 2, 'curtail: --probes must be from 1 to 100,000, not 0'",
    "lab status nothing, 1, 'curtail: no lab in '"
  })
  void should_say_what_is_wrong_in_one_line(String command, int exit, String message) {
    assertThat(terminal.run(command)).isEqualTo(exit);
    assertThat(terminal.err().strip()).startsWith(message).hasLineCount(1);
    assertThat(terminal.out()).isEmpty();
  }

  @Test
  void should_refuse_a_client_where_no_node_is_before_nodes_start() {
    assertThat(terminal.run("lab run soak --client-zones B")).isEqualTo(2);
    assertThat(terminal.err())
        .contains("curtail: client-zones: this scenario has nodes in A alone, not in each of B")
        .doesNotContain("starting");
  }

  @ParameterizedTest
  @CsvSource({
    "zones --interval 50, --interval",
    "zones --memory 4000, --memory",
    "zones --parameter compaction=universal, --parameter",
    "zones --heap 1024, --heap",
    "zones --clients 4, --clients",
    "small-faults zones --pause 2/3, --pause",
    "engine-vs-stock --server rank, --server",
    "small-faults --rate 10, --rate",
    "small-faults-disk-server --policy adaptive, --policy",
    "fluctuation --delay 1, --delay",
    "fluctuation --mix A, --mix",
    "fluctuation --consistency ONE, --consistency",
    "c3-workloads-ssd --rate 10, --rate",
    "c3-vs-snitch --policy adaptive, --policy",
    "engine-vs-stock --policy adaptive, --policy",
    "engine-vs-stock --consistency ONE, --consistency",
    "soak --consistency ONE, --consistency",
    "soak --clients 4, --clients",
    "soak --pairs 2, --pairs",
    "soak --warm-up 2, --warm-up",
    "soak --slow-motion 2, --slow-motion",
    "soak --max-foreign-cpu 1, --max-foreign-cpu",
    "soak --figures, --figures",
    "soak --histograms, --histograms"
  })
  void should_refuse_an_option_that_no_scenario_looks_at(String command, String option) {
    assertThat(terminal.run("lab run " + command)).isEqualTo(2);
    assertThat(terminal.err().strip())
        .isEqualTo(
            "curtail: %s is not for %s (see curtail lab run --help)"
                .formatted(
                    option, command.substring(0, command.indexOf(" --")).replace(" ", ", ")));
  }

  @Test
  void should_name_an_option_that_does_not_exist() {
    assertThat(terminal.run("lab start --bogus")).isEqualTo(2);
    assertThat(terminal.err()).contains("Unknown option: '--bogus'");
  }
}
