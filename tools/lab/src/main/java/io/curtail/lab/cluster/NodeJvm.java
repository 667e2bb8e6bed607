/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.testnode.NodeFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The arguments of one node's JVM, in a file that {@code java @FILE} reads. */
final class NodeJvm {
  static final String MAIN_CLASS = "org.apache.cassandra.service.CassandraDaemon";

  private NodeJvm() {}

  static void writeArguments(
      NodeFiles files, ClusterSpec spec, List<Path> classPath, List<String> classDataOptions)
      throws IOException {
    List<String> arguments = new ArrayList<>(memory(spec));
    arguments.addAll(spec.jit().options());
    arguments.addAll(classDataOptions);
    arguments.addAll(NodeFlags.all());
    arguments.addAll(properties(files));
    arguments.addAll(spec.jvmOptions());
    arguments.add("-cp");
    arguments.add(
        Stream.concat(classPath.stream(), spec.classPath().stream())
            .map(Path::toString)
            .collect(Collectors.joining(":")));
    arguments.add(MAIN_CLASS);
    Files.write(files.jvmArguments(), arguments.stream().map(NodeJvm::quoted).toList());
  }

  /** Small and alike on every machine; one collector thread, as many nodes share the cores. */
  private static List<String> memory(ClusterSpec spec) {
    return List.of(
        "-Xms" + spec.heapMebibytes() + "m",
        "-Xmx" + spec.heapMebibytes() + "m",
        "-Xss256k",
        "-XX:+UseSerialGC",
        "-XX:MaxDirectMemorySize=256m",
        "-XX:ReservedCodeCacheSize=64m",
        "-XX:MaxMetaspaceSize=160m",
        "-XX:ActiveProcessorCount=2",
        "-XX:+ExitOnOutOfMemoryError",
        // Statistics in a mapped file can stall a collection while the disk is busy.
        "-XX:+PerfDisableSharedMem");
  }

  private static List<String> properties(NodeFiles files) {
    return List.of(
        "-Djava.net.preferIPv4Stack=true",
        "-Djava.io.tmpdir=" + files.unpacked(),
        "-Djdk.nio.maxCachedBufferSize=65536",
        "-Dio.netty.allocator.maxOrder=7",
        "-Dio.netty.eventLoopThreads=2",
        "-Dcassandra.available_processors=2",
        "-Dcassandra.config=file://" + files.yaml(),
        "-Dcassandra-rackdc.properties=file://" + files.rackProperties(),
        "-Dlogback.configurationFile=file://" + files.logback(),
        "-Dcassandra.logdir=" + files.log().getParent(),
        "-Dcassandra.storagedir=" + files.directory(),
        "-Dcassandra.storage_hook=io.curtail.lab.hooks.SwitchableReadDelay",
        "-Dio.curtail.lab.read-delay=" + files.readDelay(),
        // The members are known and start together: nothing to wait for.
        "-Dcassandra.skip_wait_for_gossip_to_settle=0",
        "-Dcassandra.ring_delay_ms=1000",
        // Peers forget one that owns no tokens, or not yet, and is silent for half as long; then
        // they send it no schema.
        "-Dcassandra.gossip_quarantine_delay_ms=240000",
        // Up for longer than this, a node that was not sent a change asks for it only so much
        // later.
        "-Dcassandra.migration_delay_ms=86400000",
        "-Dcassandra.superuser_setup_delay_ms=-1",
        "-Dcassandra.disable_auth_caches_remote_configuration=true");
  }

  /** For Java's argument files: backslash escapes within double quotes. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
