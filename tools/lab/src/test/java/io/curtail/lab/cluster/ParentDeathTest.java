/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.campaign.Progress;
import io.curtail.campaign.process.ProcessIdentity;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.testnode.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParentDeathTest {
  @TempDir private Path directory;

  /** Starts a node, pauses it, says so, and never ends by itself. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws Exception {
      ClusterSpec spec =
          ClusterSpec.builder().name("orphan").directory(Path.of(arguments[0])).nodes(1).build();
      try (Cluster cluster = Cluster.start(spec, Progress.NONE);
          StopAndContinue pause =
              StopAndContinue.start(
                  cluster.node(1), Duration.ofMinutes(5), Duration.ofMinutes(5))) {
        while (pause.intervals().isEmpty() || !cluster.node(1).isPaused()) {
          Thread.sleep(10);
        }
        System.out.println(cluster.node(1).pid());
        Thread.sleep(Duration.ofMinutes(5).toMillis());
      }
    }
  }

  @Test
  void should_end_even_a_paused_node_when_its_parent_is_killed() throws Exception {
    Process parent =
        new ProcessBuilder(ChildJvm.command(Parent.class, directory.toString()))
            .redirectErrorStream(true)
            .start();
    ProcessIdentity node;
    try (BufferedReader output = parent.inputReader()) {
      node = ProcessIdentity.of(Long.parseLong(output.readLine()));
      assertThat(node.isStopped()).isTrue();
    } finally {
      parent.destroyForcibly().waitFor();
    }
    await(() -> !node.isAlive());
    assertThat(LabState.isRunning(directory)).isFalse();
  }
}
