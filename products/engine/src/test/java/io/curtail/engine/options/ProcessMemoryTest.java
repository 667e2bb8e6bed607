/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.options;

import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory that the node may use, and what of it is RocksDB's by default. */
class ProcessMemoryTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path root;

  /** Started in a control group of its own, says what it may use. */
  public static void main(String[] arguments) {
    System.out.println(ProcessMemory.of(Path.of("/")).bytes);
  }

  @Test
  void should_take_the_machine_when_no_group_limits_it() throws IOException {
    assertThat(ProcessMemory.of(root).bytes).isNegative();
    write("proc/meminfo", "MemTotal:       67108864 kB\nMemFree:        1 kB\n");
    expect(64 * GIB, "/proc/meminfo");
    write("proc/self/cgroup", "0::/a/b\n");
    write("sys/fs/cgroup/a/b/memory.max", "max\n");
    expect(64 * GIB, "/proc/meminfo");
  }

  @Test
  void should_take_the_least_of_all_groups_around_it_when_they_are_of_version_2()
      throws IOException {
    write("proc/meminfo", "MemTotal:       67108864 kB\n");
    write("proc/self/cgroup", "0::/a/b\n");
    write("sys/fs/cgroup/a/memory.max", 8 * GIB + "\n");
    write("sys/fs/cgroup/a/b/memory.max", "max\n");
    write("sys/fs/cgroup/a/other/memory.max", GIB + "\n");
    expect(8 * GIB, "/sys/fs/cgroup/a/memory.max");
    write("sys/fs/cgroup/a/b/memory.high", 6 * GIB + "\n");
    expect(6 * GIB, "/sys/fs/cgroup/a/b/memory.high");
  }

  @Test
  void should_take_the_least_of_all_groups_around_it_when_they_are_of_version_1()
      throws IOException {
    write("proc/meminfo", "MemTotal:       67108864 kB\n");
    write("proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/a/b\n0::/\n");
    write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", 4 * GIB + "\n");
    write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", GIB + "\n");
    expect(4 * GIB, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes");
  }

  @Test
  void should_take_the_mount_when_a_container_does_not_see_its_path_on_the_host()
      throws IOException {
    write("proc/meminfo", "MemTotal:       67108864 kB\n");
    write("proc/self/cgroup", "0::/../../kubepods/pod7\n");
    write("sys/fs/cgroup/memory.max", 3 * GIB + "\n");
    expect(3 * GIB, "/sys/fs/cgroup/memory.max");
    write("proc/self/cgroup", "4:memory:/docker/7\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", 2 * GIB + "\n");
    expect(2 * GIB, "/sys/fs/cgroup/memory/memory.limit_in_bytes");
  }

  @Test
  void should_see_the_limit_of_the_group_that_a_process_is_in() throws Exception {
    Path group = realGroup();
    if (group == null) { // where nobody may make one
      assertThat(said("sh", "-c", "exec \"$@\"", "sh"))
          .isEqualTo(ProcessMemory.of(Path.of("/")).bytes)
          .isPositive();
      return;
    }
    try {
      Path limit = group.resolve("memory.limit_in_bytes");
      Files.writeString(
          Files.exists(limit) ? limit : group.resolve("memory.max"), Long.toString(GIB / 2));
      assertThat(
              said(
                  "sh",
                  "-c",
                  "echo $$ > \"$1\"/cgroup.procs; shift; exec \"$@\"",
                  "sh",
                  group.toString()))
          .isEqualTo(GIB / 2);
    } finally {
      delete(group);
    }
  }

  /** What a process says that is started with such words before its own. */
  private static long said(String... prefix) throws Exception {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(ChildJvm.java());
    command.add("-Xmx64m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ProcessMemoryTest.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    return Long.parseLong(said);
  }

  @Test
  void should_leave_the_system_as_much_as_it_takes_when_nothing_is_configured() throws IOException {
    write("proc/meminfo", "MemTotal:       33554432 kB\n");
    ProcessMemory memory = ProcessMemory.of(root);
    long left = 32 * GIB - 8 * GIB - GIB - GIB / 4;
    MemoryShares shares = new MemoryShares(memory, 8 * GIB, GIB);
    assertThat(shares.blockCacheBytes).isEqualTo(left / 2);
    assertThat(MemoryShares.writeBuffers(shares.blockCacheBytes, 64 * GIB)).isEqualTo(left / 8);
    assertThat(MemoryShares.writeBuffers(shares.blockCacheBytes, GIB)).isEqualTo(GIB);
    assertThat(MemoryShares.recordCache(left / 2)).isEqualTo(left * 3 / 16);
    assertThat(shares.areExceededBy(shares.blockCacheBytes)).isFalse();
    assertThat(shares.areExceededBy(24 * GIB)).isTrue();
  }

  @Test
  void should_take_little_when_the_heap_leaves_nothing() throws IOException {
    write("proc/meminfo", "MemTotal:       2097152 kB\n");
    MemoryShares shares = new MemoryShares(ProcessMemory.of(root), 2 * GIB, 0);
    assertThat(shares.blockCacheBytes).isEqualTo(32 << 20);
    assertThat(MemoryShares.writeBuffers(shares.blockCacheBytes, GIB)).isEqualTo(8 << 20);
    assertThat(shares.areExceededBy(shares.blockCacheBytes)).isTrue();
  }

  private void expect(long bytes, String limit) {
    ProcessMemory memory = ProcessMemory.of(root);
    assertThat(memory.bytes).isEqualTo(bytes);
    assertThat(memory.limit).isEqualTo(limit);
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /**
   * A new group beside those of this process whose memory can be limited; null if there is none.
   */
  private static Path realGroup() {
    for (String line : lines(Path.of("/proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      String mount = fields[1].equals("memory") ? "memory" : "";
      if (fields[1].isEmpty() || !mount.isEmpty()) {
        Path parent = Path.of("/sys/fs/cgroup", mount).resolve("." + fields[2]).normalize();
        Path group = parent.resolve("curtail-test-" + ProcessHandle.current().pid());
        try {
          Files.createDirectory(group);
        } catch (IOException e) {
          continue;
        }
        if (Files.isWritable(group.resolve("memory.limit_in_bytes"))
            || Files.isWritable(group.resolve("memory.max"))) {
          return group;
        }
        delete(group);
      }
    }
    return null;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The kernel lets go of a group a moment after its last process has ended. */
  private static void delete(Path group) {
    patiently()
        .ignoreExceptions()
        .until(
            () -> {
              Files.deleteIfExists(group);
              return true;
            });
  }
}
