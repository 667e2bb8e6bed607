/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ChildJvm;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddressLeaseTest {
  @TempDir private Path directory;

  @Test
  void should_keep_other_processes_out_while_this_one_takes_more() throws Exception {
    try (AddressLease first = AddressLease.take(spec("first"));
        AddressLease second = AddressLease.take(spec("second"))) {
      assertThat(second.block()).isNotEqualTo(first.block());
      assertThat(lockedByAnotherProcess(first)).isEqualTo("held");
      assertThat(lockedByAnotherProcess(second)).isEqualTo("held");
    }
  }

  @Test
  void should_give_blocks_back() throws Exception {
    int moreThanThereAre = 220;
    for (int i = 0; i < moreThanThereAre; i++) {
      AddressLease.take(spec("lab")).close();
    }
  }

  private ClusterSpec spec(String name) {
    return ClusterSpec.builder().name(name).directory(directory.resolve(name)).nodes(1).build();
  }

  private static String lockedByAnotherProcess(AddressLease lease) throws Exception {
    Path file =
        Path.of(System.getProperty("java.io.tmpdir"), "curtail-lab-addresses")
            .resolve(lease.block().label());
    Process child =
        new ProcessBuilder(ChildJvm.command(Locker.class, file.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).isZero();
    return said.strip();
  }

  /** Tries to lock a file. */
  static final class Locker {
    private Locker() {}

    public static void main(String[] file) throws Exception {
      try (FileChannel channel =
          FileChannel.open(Path.of(file[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        System.out.println(channel.tryLock() == null ? "held" : "free");
      }
    }
  }
}
