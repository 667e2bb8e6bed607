/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.Progress;
import io.curtail.engine.trials.Directories;
import io.curtail.lab.network.AddressBlock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/**
 * The JVM's class-data sharing: the classes of a started node, parsed and verified, in a file that
 * every later node maps. Halves the processor time of a start. Made once for each Cassandra
 * release, JDK and class path, by starting one node alone and stopping it.
 */
final class ClassDataArchive {
  private static final Object ONE_AT_A_TIME = new Object();
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

  private ClassDataArchive() {}

  /**
   * The JVM options that use the archive; none, said to {@code progress}, if it could not be made.
   */
  static List<String> options(
      Home home, ClusterSpec spec, List<Path> classPath, AddressBlock addresses, Progress progress)
      throws IOException {
    Files.createDirectories(home.archives());
    Path archive =
        home.archives().resolve(spec.cassandraVersion() + "-" + fingerprint(classPath) + ".jsa");
    if (!Files.exists(archive) && !Files.isWritable(home.archives())) {
      progress.report("starting without class-data sharing: cannot write to " + home.archives());
      return List.of();
    }
    synchronized (ONE_AT_A_TIME) {
      if (!Files.exists(archive)) {
        try (FileChannel channel =
                FileChannel.open(
                    home.archives().resolve("lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          if (lock.isValid() && !Files.exists(archive)) {
            progress.report(
                "preparing class-data sharing for Cassandra "
                    + spec.cassandraVersion()
                    + " (once)");
            make(archive, spec, classPath, addresses, progress);
          }
        }
      }
    }
    return Files.exists(archive)
        ? List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto")
        : List.of();
  }

  private static void make(
      Path archive,
      ClusterSpec spec,
      List<Path> classPath,
      AddressBlock addresses,
      Progress progress)
      throws IOException {
    Path work = archive.resolveSibling("making-" + ProcessHandle.current().pid());
    Path unfinished = work.resolve("archive.jsa");
    ClusterSpec alone =
        ClusterSpec.builder()
            .name("class-data")
            .directory(work)
            .nodes(1)
            .jit(spec.jit())
            .heapMebibytes(spec.heapMebibytes())
            .cassandraVersion(spec.cassandraVersion())
            .build();
    try (Cluster cluster =
        Cluster.start(
            alone,
            addresses,
            classPath,
            List.of("-XX:ArchiveClassesAtExit=" + unfinished),
            () -> {},
            Progress.NONE,
            START_TIMEOUT)) {
      cluster.node(1).stop();
      if (Files.exists(unfinished)) {
        Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IllegalStateException e) {
      progress.report("starting without class-data sharing: " + e.getMessage());
    } finally {
      Directories.delete(work);
    }
  }

  private static String fingerprint(List<Path> classPath) throws IOException {
    StringBuilder text = new StringBuilder(NodeJava.find().version());
    for (Path entry : classPath) {
      text.append('\n').append(entry).append(' ').append(Files.size(entry));
      text.append(' ').append(Files.getLastModifiedTime(entry).toMillis());
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
