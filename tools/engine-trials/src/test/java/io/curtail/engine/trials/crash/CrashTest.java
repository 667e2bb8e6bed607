/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.trials.TrialNode;
import io.curtail.engine.trials.disk.PowerDisk;
import io.curtail.testnode.PackedClassPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The gate of the crash loop, and whether its check sees what it must. */
class CrashTest {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path home;

  private static TrialNode nodes;

  @BeforeAll
  static void packClasses() throws IOException {
    Path jars = Files.createDirectory(home.resolve("jars"));
    nodes = new TrialNode(PackedClassPath.in(jars), Map.of("sync", "group"));
  }

  @Test
  void should_lose_nothing_answered_when_the_node_is_killed() throws IOException {
    check(nodes, "a crash", false, 2);
  }

  @Test
  void should_lose_nothing_answered_when_the_node_is_killed_while_tables_move_out_and_back()
      throws IOException {
    check(nodes, "moves of tables", true, 4);
  }

  /** So what fails there is not the engine's. */
  @Test
  void should_lose_nothing_answered_when_the_node_has_no_engine() throws IOException {
    check(nodes.stock(), "stock", false, 1);
  }

  @Test
  void should_lose_nothing_answered_when_the_power_fails() throws IOException {
    String refusal = PowerDisk.refusal(home.resolve("power-tried"));
    if (refusal != null) {
      assertThat(refusal).contains("root, mkfs.ext4 and Perl");
      return;
    }
    try (PowerDisk disk = PowerDisk.make(home.resolve("power"))) {
      Crash.Result result =
          Crash.withPower(nodes, disk, home.resolve("power-notes"), 1, false, System.out::println)
              .run(3, 0);
      assertThat(result.failures()).isEmpty();
      assertThat(result.answered()).isPositive();
    }
  }

  @Test
  void should_lose_what_was_not_synced_when_the_power_fails() throws IOException {
    if (PowerDisk.refusal(home.resolve("power-tried-again")) != null) {
      return; // as is told above
    }
    try (PowerDisk disk = PowerDisk.make(home.resolve("disk"))) {
      boolean isLost = false;
      // The system may write it meanwhile.
      for (int i = 0; i < 5 && !isLost; i++) {
        Path synced = disk.directory().resolve("synced" + i);
        Path unsynced = disk.directory().resolve("unsynced" + i);
        try (FileChannel file =
            FileChannel.open(synced, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
          file.write(ByteBuffer.wrap(new byte[100]));
          file.force(true);
        }
        Files.write(unsynced, new byte[100]);
        disk.cut();
        assertThatThrownBy(() -> Files.write(unsynced, new byte[100]))
            .isInstanceOf(IOException.class);
        disk.restore();
        assertThat(synced).hasSize(100);
        isLost = Files.notExists(unsynced) || Files.size(unsynced) == 0;
      }
      assertThat(isLost).isTrue();
    }
  }

  /** What it has found before it ends: kills after which nothing was looked at are none. */
  @Test
  void should_tell_of_the_kills_so_far_that_were_checked() throws IOException {
    List<Integer> checked = new ArrayList<>();
    AtomicReference<Crash> crash = new AtomicReference<>();
    crash.set(
        new Crash(
            nodes,
            home.resolve("so far"),
            1,
            false,
            line -> {
              Crash.Result soFar = crash.get().soFar();
              checked.add(soFar == null ? 0 : soFar.kills());
            }));
    Crash.Result result = crash.get().run(2, 0);
    assertThat(checked).containsExactly(0, 1);
    assertThat(crash.get().soFar()).isEqualTo(result);
  }

  private static void check(TrialNode nodes, String name, boolean moves, int kills)
      throws IOException {
    Crash.Result result =
        new Crash(nodes, home.resolve(name), 1, moves, System.out::println).run(kills, 0);
    assertThat(result.failures()).isEmpty();
    assertThat(result.answered()).isPositive();
  }

  @Test
  void should_see_a_lost_batch_a_half_batch_and_a_wrong_counter() throws IOException {
    assertThat(check(rows(5, 5), "v=1", 1)).isNull();
    assertThat(check(rows(5, 4), "v=1", 1)).contains("batch 5 has 4 rows");
    assertThat(check(List.of(), "v=1", 1)).contains("batch 5 is lost");
    assertThat(check(rows(5, 5), "v=0", 1)).contains("the counter is 0, not 1");
    assertThat(check(rows(5, 5), "v=1", 0)).contains("row 4: the index finds 0, the table has 1");
  }

  @Test
  void should_see_an_index_entry_without_a_row_when_entries_may_be_lacking() throws IOException {
    assertThat(check(rows(5, 5), "v=1", 0, true)).isNull();
    assertThat(check(rows(5, 5), "v=1", 2, true)).contains("the index finds 2, the table has 1");
  }

  @Test
  void should_see_a_lost_change_and_a_row_that_is_back_in_the_large_table() throws IOException {
    Path notes = home.resolve("large");
    Files.writeString(notes, "1\n2\n3\n");
    // Operation 3 deletes row 3027, 4 may have been done to row 4036.
    assertThat(large(notes, 1, 2, null, 0)).isNull();
    assertThat(large(notes, 1, 2, null, 4)).isNull();
    assertThat(large(notes, 1, 0, null, 0)).contains("row 2018 of large is 0");
    assertThat(large(notes, 1, null, null, 0)).contains("row 2018 of large is -1");
    assertThat(large(notes, 1, 2, 0, 0)).contains("row 3027 of large is 0");
    assertThat(large(notes, 1, 2, null, 5)).contains("row 4036 of large is 5");
  }

  /** With these values of the rows of the first operations. */
  private static String large(Path notes, Integer... values) throws IOException {
    List<String> rows = new ArrayList<>();
    for (int p = 0; p < 6_000; p++) {
      boolean isChanged = p > 0 && p % 1_009 == 0 && p / 1_009 <= 4;
      Integer value = isChanged ? values[p / 1_009 - 1] : Integer.valueOf(0);
      if (value != null) {
        rows.add("p=" + p + ", v=" + value);
      }
    }
    return CrashLarge.wrong(query -> rows, List.of(notes));
  }

  private static String check(List<String> wide, String counter, int indexed) throws IOException {
    return check(wide, counter, indexed, false);
  }

  private static String check(
      List<String> wide, String counter, int indexed, boolean mayLackIndexEntries)
      throws IOException {
    CrashCheck.Query node =
        query -> {
          if (query.contains("crash.wide")) {
            return wide;
          } else if (query.contains("crash.last")) {
            return List.of("v=1");
          } else if (query.contains("crash.counted")) {
            return List.of(counter);
          }
          boolean byIndex = query.contains("WHERE v =");
          return Collections.nCopies(byIndex ? indexed : 1, "n=4");
        };
    return new CrashCheck(node, 0, new CrashCheck.Known(5, 0, 0, mayLackIndexEntries)).run();
  }

  private static List<String> rows(int n, int count) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add("n=" + n + ", v=" + n + ", m={1: " + n + "}");
    }
    return rows;
  }
}
