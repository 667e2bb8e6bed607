/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import io.curtail.campaign.process.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** What a network of namespaces needs from the machine, and the two programs it brings itself. */
final class NetworkPrograms {
  private static final Map<String, String> PACKAGES =
      Map.of(
          "ip", "iproute2",
          "iptables", "iptables",
          "gcc", "gcc libc6-dev",
          "ping", "iputils-ping",
          "sysctl", "procps",
          "unshare", "util-linux");

  /** Makes one and changes it: asks for both capabilities. */
  private static final List<String> PROBE =
      List.of("unshare", "--net", "ip", "link", "set", "lo", "up");

  private static final String SCRIPT = "zone-network.sh";

  private NetworkPrograms() {}

  /**
   * Checks that all is there.
   *
   * @throws IllegalStateException in one line, with the way to get what is missing
   */
  static void requirePrerequisites() throws IOException {
    if (!Commands.isRoot()) {
      throw new IllegalStateException(
          "a network with a namespace a node needs root; without it, the loopback network has the latencies on the clients' side");
    }
    List<String> missing =
        PACKAGES.keySet().stream().filter(program -> !Commands.exists(program)).sorted().toList();
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "a network with a namespace a node needs %s (Debian: apt-get install %s)"
              .formatted(
                  String.join(", ", missing),
                  String.join(" ", missing.stream().map(PACKAGES::get).toList())));
    }
    requireNamespaces(PROBE);
  }

  /** Root of a container may not make any. */
  static void requireNamespaces(List<String> probe) throws IOException {
    if (Commands.failure(probe).isPresent()) {
      throw new IllegalStateException(
          "a network with a namespace a node needs network namespaces (in a container: --cap-add NET_ADMIN --cap-add SYS_ADMIN)");
    }
  }

  /** Writes it for a new network: an older one may be there, left by a lab of this name. */
  static Path script(Path directory) throws IOException {
    Path next = directory.resolve(SCRIPT + ".new");
    Files.write(next, resource(SCRIPT));
    return Files.move(next, directory.resolve(SCRIPT), StandardCopyOption.REPLACE_EXISTING);
  }

  /** The one that a network was made with. */
  static Path scriptOf(Path directory) throws IOException {
    Path script = directory.resolve(SCRIPT);
    return Files.exists(script) ? script : script(directory);
  }

  /** Compiled once for each version of its source. */
  static Path delay(Path programs) throws IOException {
    byte[] source = resource("zone-delay.c");
    CRC32 checksum = new CRC32();
    checksum.update(source);
    Path program = programs.resolve("zone-delay-%08x".formatted(checksum.getValue()));
    if (!Files.exists(program)) {
      Files.createDirectories(programs);
      Path code = Files.createTempFile(programs, "zone-delay", ".c");
      Path compiled = Path.of(code + ".out");
      try {
        Files.write(code, source);
        Commands.run("gcc", "-O2", "-o", compiled.toString(), code.toString());
        Files.move(compiled, program, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.delete(code);
      }
    }
    return program;
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = NetworkPrograms.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }
}
