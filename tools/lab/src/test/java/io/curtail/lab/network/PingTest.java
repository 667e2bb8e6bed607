/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PingTest {
  @TempDir private Path directory;

  @Test
  void should_read_round_trips_when_the_user_speaks_another_language() throws IOException {
    Path ping = directory.resolve("ping");
    Files.writeString(
        ping,
        """
        #!/bin/sh
        case $LC_ALL in C) word=time ;; *) word=Zeit ;; esac
        echo "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 $word=0.25 ms"
        """);
    assertThat(ping.toFile().setExecutable(true)).isTrue();
    List<String> prefix =
        List.of("env", "LC_ALL=de_DE.UTF-8", "PATH=" + directory + ":" + System.getenv("PATH"));
    assertThat(Ping.medianNanos(prefix, "127.0.0.1", "127.0.0.1", 1)).isEqualTo(250_000);
  }
}
