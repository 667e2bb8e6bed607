/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few processors of a larger machine, as a container has them. */
class AllowedProcessorsTest {
  private static final List<String> STAT =
      List.of(
          "cpu  1111 0 0 9000 0 0 0 0 0 0",
          "cpu0 1000 0 0 100 0 0 0 0 0 0",
          "cpu2 10 1 2 300 50 4 5 6 7 8",
          "cpu10 100 0 0 100 0 0 0 0 0 0",
          "cpu11 1 0 0 100 0 0 0 0 0 0",
          "intr 5");

  private final AllowedProcessors some =
      new AllowedProcessors(List.of("Name:\tjava", "Cpus_allowed_list:\t2-4,10"));

  @Test
  void should_count_those_that_the_process_may_run_on() {
    assertThat(some.count()).isEqualTo(4);
    assertThat(AllowedProcessors.ofThisProcess().count())
        .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void should_leave_out_what_the_other_processors_do() {
    assertThat(some.busyNanos(STAT)).isEqualTo((10 + 1 + 2 + 4 + 5 + 6 + 100) * 1e7);
  }

  @Test
  void should_see_time_pass() {
    AllowedProcessors here = AllowedProcessors.ofThisProcess();
    double before = here.busyNanos();
    // Reading itself keeps a processor busy.
    while (here.busyNanos() == before) {
      Thread.onSpinWait();
    }
    assertThat(here.busyNanos()).isGreaterThan(before);
  }

  @Test
  void should_know_a_quota_of_a_group_or_of_one_around_it(@TempDir Path groups) throws IOException {
    List<String> second = List.of("0::/pod/box");
    List<String> first = List.of("5:memory:/pod/box", "4:cpu,cpuacct:/pod/box");
    write(groups, "pod/box/cpu.max", "max 100000");
    write(groups, "cpu/pod/box/cpu.cfs_quota_us", "-1");
    assertThat(AllowedProcessors.hasQuota(groups, second)).isFalse();
    assertThat(AllowedProcessors.hasQuota(groups, first)).isFalse();
    write(groups, "pod/cpu.max", "150000 100000");
    write(groups, "cpu/pod/cpu.cfs_quota_us", "150000");
    assertThat(AllowedProcessors.hasQuota(groups, second)).isTrue();
    assertThat(AllowedProcessors.hasQuota(groups, first)).isTrue();
    assertThat(AllowedProcessors.hasQuota(groups, List.of("0::/"))).isFalse();
  }

  private static void write(Path groups, String file, String text) throws IOException {
    Files.createDirectories(groups.resolve(file).getParent());
    Files.writeString(groups.resolve(file), text + "\n");
  }
}
