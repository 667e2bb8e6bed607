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
 * What a node's log says of itself and of its peers: whether it serves clients, whom it knows to
 * own tokens, and whom it sees up. Needs no connection, works across namespaces and costs the node
 * nothing.
 */
final class NodeLog {
  private static final Pattern PEER =
      Pattern.compile("InetAddress \\S*?/([0-9.]+):[0-9]+ is now (UP|DOWN)");
  private static final Pattern FORGOTTEN =
      Pattern.compile("FatClient \\S*?/([0-9.]+):[0-9]+ has been silent");
  private static final Pattern MEMBER =
      Pattern.compile("Node \\S*?/([0-9.]+):[0-9]+ state NORMAL, token \\[");

  private final Path file;
  private long position;
  private String unfinishedLine = "";
  private boolean listening;
  private final Set<String> up = new HashSet<>();
  private final Set<String> members;

  private NodeLog(Path file, long position, Set<String> members) {
    this.file = file;
    this.position = position;
    this.members = members;
  }

  /** Of a node's first process, or of one that runs: every line counts. */
  static NodeLog fromTheStart(Path file) {
    return new NodeLog(file, 0, new HashSet<>());
  }

  /** Of the node's next process, which remembers from its tables who owns tokens. */
  NodeLog afterRestart() throws IOException {
    do {
      poll();
    } while (Files.exists(file) && position < Files.size(file));
    return new NodeLog(file, position, members);
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
    Matcher member = MEMBER.matcher(line);
    if (member.find()) {
      members.add(member.group(1));
    }
    Matcher forgotten = FORGOTTEN.matcher(line);
    if (forgotten.find()) {
      up.remove(forgotten.group(1));
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

  /**
   * Whether it sends requests to this peer: a peer is seen up as soon as it gossips, but has no
   * part in the ring until its tokens are known.
   */
  boolean seesUp(String address) {
    return up.contains(address) && members.contains(address);
  }

  /** Whether this peer gossips, be it in the ring or not. */
  boolean hears(String address) {
    return up.contains(address);
  }

  /** Forgets that a peer is up, until the log says so again. */
  void expectReturnOf(String address) {
    up.remove(address);
  }

  /** Forgets as well that it owns tokens: it has left, and joins anew. */
  void expectJoinOf(String address) {
    expectReturnOf(address);
    members.remove(address);
  }

  /** What the node itself says, where its log leaves it open. */
  void knows(Set<String> live, Set<String> owners) {
    up.addAll(live);
    members.addAll(owners);
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
