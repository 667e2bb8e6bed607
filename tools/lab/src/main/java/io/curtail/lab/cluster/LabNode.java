/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.Progress;
import io.curtail.campaign.process.ProcessIdentity;
import io.curtail.lab.network.AddressBlock;
import io.curtail.lab.network.ZoneLatencies;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** One Cassandra node of a lab: a process of its own. Thread-safe. */
public final class LabNode {
  // Linux may weigh sessions (autogroup) before it looks at the processes in them.
  private static final List<String> RAISED_PRIORITY =
      List.of(
          "sh",
          "-c",
          "{ echo -10 >/proc/self/autogroup; } 2>/dev/null; exec nice -n -10 \"$@\"",
          "sh");
  private static final Duration RESTART_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(8);
  private static final int CONNECT_TIMEOUT_MILLIS = 500;
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(3);

  private final int index;
  private final int zone;
  private final String host;
  private final NodeFiles files;
  private final List<String> command;
  private final boolean ownsData;
  private final Ring ring;
  private ProcessIdentity process;
  private long formerCpuNanos;
  private long latestCpuNanos;
  private NodeLog log;
  private long startedAtNanos;
  private volatile long startUpMillis = -1;

  LabNode(int index, LabState lab, Path directory, List<String> prefix, Ring ring) {
    this.index = index;
    this.zone = AddressBlock.zoneOf(index, lab.zones());
    this.host = lab.addresses().node(index, lab.zones());
    this.files = new NodeFiles(directory, index);
    this.ring = ring;
    this.ownsData = index <= lab.nodeCount() - lab.coordinators();
    List<String> whole = new ArrayList<>(prefix);
    whole.add("setsid"); // a session of its own: not ended by the terminal's Ctrl-C
    if (lab.raisedPriority()) {
      whole.addAll(RAISED_PRIORITY);
    }
    whole.add(NodeJava.find().executable().toString());
    if (!ownsData) {
      whole.add("-Dcassandra.join_ring=false");
    }
    whole.add("@" + files.jvmArguments());
    this.command = List.copyOf(whole);
    ring.add(this);
  }

  /** From 1. */
  public int index() {
    return index;
  }

  /** False for one that stays out of the ring and only coordinates requests. */
  public boolean ownsData() {
    return ownsData;
  }

  /** Where it serves clients. */
  public InetSocketAddress address() {
    return new InetSocketAddress(AddressBlock.parse(host), AddressBlock.NATIVE_PORT);
  }

  /** Its address without a port. */
  public String host() {
    return host;
  }

  /** {@code A}, {@code B} or {@code C}. */
  public String zone() {
    return ZoneLatencies.zone(zone);
  }

  /** One rack a zone: {@code a}, {@code b} or {@code c}. */
  public String rack() {
    return Cluster.rack(zone);
  }

  /** Whether it has been: the nodes of a lab that another process starts are, one by one. */
  public boolean isStarted() {
    return process() != null;
  }

  /** Of its latest process. */
  public long pid() {
    return process().pid();
  }

  public boolean isAlive() {
    return process().isAlive();
  }

  /** Whether it is held by SIGSTOP. */
  public boolean isPaused() {
    return process().isStopped();
  }

  /** Takes up to half a second for a node that does not answer. */
  public NodeState state() {
    if (!isAlive()) {
      return NodeState.DOWN;
    }
    if (isPaused()) {
      return NodeState.PAUSED;
    }
    try (Socket socket = new Socket()) {
      socket.connect(address(), CONNECT_TIMEOUT_MILLIS);
      return NodeState.UP;
    } catch (IOException e) {
      return NodeState.NOT_SERVING;
    }
  }

  public Path logFile() {
    return files.log();
  }

  /** Of its tables' data files. */
  public Path dataDirectory() {
    return files.data();
  }

  /** Deletes what a node that is down has stored: it will not be the same node again. */
  public void deleteData() throws IOException {
    files.deleteData();
  }

  /**
   * The file that the node maps and a fault writes: how long each read from its storage waits,
   * eight bytes, in nanoseconds.
   */
  public Path readDelayFile() {
    return files.readDelay();
  }

  /**
   * User and system time of all its processes, in steps of 10 ms; a former one's as far as it had
   * come when it was told to end.
   */
  public synchronized long cpuNanos() {
    latestCpuNanos = Math.max(latestCpuNanos, process.cpuNanos());
    return formerCpuNanos + latestCpuNanos;
  }

  /** Memory of its latest process; pages of the class-data archive count in each node. */
  public long residentBytes() {
    return process().residentBytes();
  }

  /**
   * From the start of its latest process until it served clients and it and its peers saw each
   * other; -1 if this process did not start it.
   */
  public long startUpMillis() {
    return startUpMillis;
  }

  /** As an operator would: SIGTERM, and SIGKILL if that takes longer than three minutes. */
  public void stop() throws IOException {
    ProcessIdentity old = process();
    old.signal("CONT");
    long unused = cpuNanos(); // the last chance to see it
    old.signal("TERM");
    if (!old.awaitEnd(STOP_TIMEOUT)) {
      kill();
    }
  }

  /** As a power cut would: SIGKILL. Returns when the process is gone. */
  public void kill() throws IOException {
    ProcessIdentity old = process();
    long unused = cpuNanos(); // the last chance to see it
    old.signal("KILL");
    if (!old.awaitEnd(STOP_TIMEOUT)) {
      throw new IllegalStateException(
          "node " + index + " (process " + old.pid() + ") does not die");
    }
  }

  /**
   * Ends it if it runs, starts it again on the same data and waits until the other live nodes see
   * it and it sees them.
   *
   * @throws IllegalStateException if it does not come back, with the last lines of its log
   */
  public void restart() throws IOException {
    if (isAlive()) {
      stop();
    }
    ring.expectReturnOf(this);
    start();
    ring.awaitWhole(RESTART_TIMEOUT, Progress.NONE);
  }

  /**
   * Starts it, which must not run, without all that it had, and waits until it has its part of the
   * rows and is in the ring.
   *
   * @param seed a node that is up
   * @param token its place in the ring; not used if it replaces a node
   * @param replaced a node that is dead and stays so, whose part it takes
   * @throws IllegalStateException if it does not join, with the last lines of its log
   */
  public void join(LabNode seed, long token, Optional<LabNode> replaced) throws IOException {
    files.joinNextTime(
        seed.host, replaced.isPresent() ? OptionalLong.empty() : OptionalLong.of(token));
    ring.expectJoinOf(this);
    start(
        replaced
            .map(node -> List.of("-Dcassandra.replace_address_first_boot=" + node.host))
            .orElse(List.of()));
    ring.awaitWhole(JOIN_TIMEOUT, Progress.NONE);
  }

  /** The place in the ring of the node of this number, where all start together. */
  public static long token(int index, int nodes) {
    return EvenTokens.of(index, nodes);
  }

  void start() throws IOException {
    start(List.of());
  }

  private void start(List<String> options) throws IOException {
    synchronized (this) {
      log = log == null ? NodeLog.fromTheStart(files.log()) : log.afterRestart();
      List<String> whole = new ArrayList<>(command);
      whole.addAll(whole.size() - 1, options);
      ProcessBuilder builder =
          new ProcessBuilder(whole)
              .directory(files.directory().toFile())
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(files.output().toFile()));
      // glibc otherwise keeps an arena of up to 64 MiB for each of a node's many threads.
      builder.environment().put("MALLOC_ARENA_MAX", "2");
      startedAtNanos = System.nanoTime();
      startUpMillis = -1;
      process = ProcessIdentity.of(builder.start().pid());
      formerCpuNanos += latestCpuNanos;
      latestCpuNanos = 0;
    }
    ring.started(this);
  }

  /** Takes over a node that another process started. */
  void adopt(ProcessIdentity running) {
    synchronized (this) {
      process = running;
      log = NodeLog.fromTheStart(files.log());
    }
  }

  synchronized ProcessIdentity process() {
    return process;
  }

  synchronized NodeLog log() {
    return log;
  }

  NodeFiles files() {
    return files;
  }

  /** Called when the ring is whole; the first call after a start counts. */
  void markUp() {
    if (startUpMillis < 0 && startedAtNanos != 0) {
      startUpMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos);
    }
  }

  /** One line and the end of its log, for a user who must find out why it is not up. */
  String failure(String what) {
    List<String> lines = NodeLog.tail(files.log(), 8);
    if (lines.isEmpty() || !isAlive()) {
      lines = new ArrayList<>(lines);
      lines.addAll(NodeLog.tail(files.output(), 8));
    }
    return "node %d (%s) %s; the end of %s:%n  %s"
        .formatted(
            index, host, what, files.log(), String.join(System.lineSeparator() + "  ", lines));
  }
}
