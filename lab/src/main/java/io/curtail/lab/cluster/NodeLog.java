/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node's log says of itself and of its peers: whether it serves clients, and whom it sees
 * up. Needs no connection, works across namespaces and costs the node nothing.
 */
final class NodeLog {
  private static final Pattern PEER =
      Pattern.compile("InetAddress \\S*?/([0-9.]+):[0-9]+ is now (UP|DOWN)");

  private final Path file;
  private long position;
  private String unfinishedLine = "";
  private boolean listening;
  private final Set<String> up = new HashSet<>();

  /**
   * @param position of the first byte that counts: the end of what an earlier process wrote
   */
  NodeLog(Path file, long position) {
    this.file = file;
    this.position = position;
  }

  static long endOf(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  void poll() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(Math.max(0, log.length() - position), 1 << 20)];
      log.seek(position);
      log.readFully(bytes);
      String text = unfinishedLine + new String(bytes, StandardCharsets.ISO_8859_1);
      int end = text.lastIndexOf('\n') + 1;
      unfinishedLine = text.substring(end);
      text.substring(0, end).lines().forEach(this::read);
      position += bytes.length;
    }
  }

  private void read(String line) {
    if (line.contains("Starting listening for CQL clients")) {
      listening = true;
    }
    Matcher peer = PEER.matcher(line);
    if (peer.find()) {
      if (peer.group(2).equals("UP")) {
        up.add(peer.group(1));
      } else {
        up.remove(peer.group(1));
      }
    }
  }

  boolean listening() {
    return listening;
  }

  boolean seesUp(String address) {
    return up.contains(address);
  }

  /** Forgets that a peer is up, until the log says so again. */
  void expectReturnOf(String address) {
    up.remove(address);
  }

  /** The last lines, for a message about a node that did not start. */
  static List<String> tail(Path file, int lines) {
    try {
      List<String> all =
          Files.exists(file) ? Files.readAllLines(file, StandardCharsets.ISO_8859_1) : List.of();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    } catch (IOException e) {
      return List.of();
    }
  }
}
