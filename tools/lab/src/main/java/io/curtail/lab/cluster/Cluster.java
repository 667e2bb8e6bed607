/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.Progress;
import io.curtail.campaign.process.DeadMansSwitch;
import io.curtail.lab.network.AddressBlock;
import io.curtail.lab.network.LoopbackNetwork;
import io.curtail.lab.network.NamespaceNetwork;
import io.curtail.lab.network.ZoneLatencies;
import io.curtail.lab.network.ZoneNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A running cluster of stock Cassandra nodes on this machine. It ends with {@link #close()} and
 * also when this process dies, however it dies, unless {@link #detach() detached}. Thread-safe.
 */
public final class Cluster implements AutoCloseable {
  static final String DATACENTER = "dc1";
  private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

  private final LabState state;
  private final Path directory;
  private final Ring ring;
  private final Runnable giveBackAddresses;
  private final DeadMansSwitch deadMansSwitch;
  private final ZoneNetwork network;
  private boolean detached;
  private boolean closed;

  private Cluster(
      LabState state,
      Path directory,
      ZoneNetwork network,
      Runnable giveBackAddresses,
      DeadMansSwitch deadMansSwitch) {
    this.state = state;
    this.directory = directory;
    this.network = network;
    this.giveBackAddresses = giveBackAddresses;
    this.deadMansSwitch = deadMansSwitch;
    this.ring = new Ring(this::started);
    for (int index = 1; index <= state.nodeCount(); index++) {
      new LabNode(index, state, directory, network.commandPrefix(index), ring);
    }
  }

  Ring ring() {
    return ring;
  }

  /**
   * Starts all nodes at the same time, on new data, and returns when the ring is whole.
   *
   * @throws IllegalStateException if the machine has no room for it, the lab already runs, or a
   *     node does not start; the message is for the user. Nothing is left running
   */
  public static Cluster start(ClusterSpec spec, Progress progress) throws IOException {
    Files.createDirectories(spec.directory());
    // Until its nodes run, nothing else says that a lab is there.
    try (FileChannel file =
            FileChannel.open(
                spec.directory().resolve("lab.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = tryLock(file)) {
      if (lock == null || LabState.isRunning(spec.directory())) {
        throw new IllegalStateException(
            "a lab runs in " + spec.directory() + " already: stop it first, or take another name");
      }
      Machine.require(spec); // not before: it is the running lab that takes the memory
      return startAlone(spec, progress);
    }
  }

  /** Returns null if it is held. */
  private static FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // by this process
    }
  }

  private static Cluster startAlone(ClusterSpec spec, Progress progress) throws IOException {
    Home home = Home.find();
    for (Path entry : spec.classPath()) {
      if (!Files.exists(entry)) {
        throw new IllegalArgumentException("class path: no such file: " + entry);
      }
    }
    List<Path> classPath =
        new ArrayList<>(CassandraJars.of(home, spec.cassandraVersion(), progress));
    classPath.add(home.hooksClassPath());
    AddressLease lease = AddressLease.take(spec);
    try {
      List<String> classData =
          ClassDataArchive.options(home, spec, classPath, lease.block(), progress);
      progress.report(
          "starting %d Cassandra %s nodes in %d zones, logs in %s"
              .formatted(spec.allNodes(), spec.cassandraVersion(), spec.zones(), spec.directory()));
      return start(
          spec, lease.block(), classPath, classData, lease::close, progress, START_TIMEOUT);
    } catch (IOException | RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  /** Starts nodes at addresses that are held until they are given back. */
  static Cluster start(
      ClusterSpec spec,
      AddressBlock addresses,
      List<Path> classPath,
      List<String> classDataOptions,
      Runnable giveBackAddresses,
      Progress progress,
      Duration timeout)
      throws IOException {
    Files.createDirectories(spec.directory());
    DeadMansSwitch deadMansSwitch = new DeadMansSwitch();
    ZoneNetwork network;
    try {
      network = network(spec, addresses, progress, deadMansSwitch);
    } catch (IOException | RuntimeException e) {
      deadMansSwitch.close();
      throw e;
    }
    Cluster cluster =
        new Cluster(
            LabState.of(spec, addresses),
            spec.directory(),
            network,
            giveBackAddresses,
            deadMansSwitch);
    try {
      for (LabNode node : cluster.nodes()) {
        node.files().write(spec, addresses, node.index());
        NodeJvm.writeArguments(node.files(), spec, classPath, classDataOptions);
      }
      for (LabNode node : cluster.nodes()) {
        node.start();
      }
      cluster.ring.awaitWhole(timeout, progress);
      if (network instanceof NamespaceNetwork namespaces) {
        namespaces.calibrate();
        progress.report(
            String.format(
                Locale.ROOT,
                "a packet takes %.0f microseconds one way by itself, which the latencies allow for",
                namespaces.overheadNanos() / 1000.0));
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static ZoneNetwork network(
      ClusterSpec spec, AddressBlock addresses, Progress progress, DeadMansSwitch deadMansSwitch)
      throws IOException {
    if (spec.networking() == Networking.LOOPBACK) {
      return new LoopbackNetwork(addresses, spec.allNodes(), spec.zones());
    }
    progress.report("making a network namespace for each node");
    return NamespaceNetwork.create(
        addresses,
        spec.allNodes(),
        spec.zones(),
        spec.directory(),
        Home.find().programs(),
        deadMansSwitch);
  }

  /**
   * Takes hold of a lab that another process started and detached. Closing it stops the lab;
   * detaching leaves it up.
   *
   * @throws IllegalStateException if no lab runs there
   */
  public static Cluster attach(Path directory) throws IOException {
    if (!LabState.exists(directory)) {
      throw new IllegalStateException("no lab in " + directory);
    }
    LabState state = LabState.read(directory);
    ZoneNetwork network =
        state.networking() == Networking.LOOPBACK
            ? new LoopbackNetwork(state.addresses(), state.nodeCount(), state.zones())
            : NamespaceNetwork.attach(
                state.addresses(), state.nodeCount(), state.zones(), directory);
    Cluster cluster = new Cluster(state, directory, network, () -> {}, null);
    cluster.detached = true;
    for (LabState.Node node : state.nodes()) {
      cluster.node(node.index()).adopt(node.process());
    }
    return cluster;
  }

  public List<LabNode> nodes() {
    return ring.nodes();
  }

  /** Those that own data. */
  public List<LabNode> replicas() {
    return nodes().stream().filter(LabNode::ownsData).toList();
  }

  /** Those that own none; if there are any, clients ask these alone. */
  public List<LabNode> coordinators() {
    return nodes().stream().filter(node -> !node.ownsData()).toList();
  }

  /** Returns the node with this number, from 1. */
  public LabNode node(int index) {
    return ring.nodes().get(index - 1);
  }

  /** Where clients find every node that owns data. */
  public List<InetSocketAddress> contactPoints() {
    return replicas().stream().map(LabNode::address).toList();
  }

  public String localDatacenter() {
    return DATACENTER;
  }

  /** Between the zones; what clients must ask where it cannot delay their packets itself. */
  public ZoneNetwork network() {
    return network;
  }

  /** What the lab is called. */
  public String name() {
    return state.name();
  }

  public String cassandraVersion() {
    return state.cassandraVersion();
  }

  public Path directory() {
    return directory;
  }

  public Networking networking() {
    return state.networking();
  }

  /** Where the nodes are, and what clients of each zone bind to. */
  public AddressBlock addresses() {
    return state.addresses();
  }

  static String rack(int zone) {
    return ZoneLatencies.zone(zone).toLowerCase(Locale.ROOT);
  }

  /** Leaves the cluster up when this process ends: {@link #attach(Path)} finds it again. */
  public synchronized void detach() {
    if (!detached) {
      deadMansSwitch.close();
      detached = true;
    }
  }

  /**
   * Ends every node by its process id and deletes the data; configuration and logs stay. A lab that
   * this process {@link #detach() detached} stays up.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed || (detached && deadMansSwitch != null)) {
      return;
    }
    closed = true;
    // Nothing of this may be left out, least of all when the user ends it.
    boolean interrupted = Thread.interrupted();
    try {
      end();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void end() throws IOException {
    for (LabNode node : nodes()) {
      if (node.process() != null) {
        node.process().signal("KILL");
      }
    }
    for (LabNode node : nodes()) {
      if (node.process() != null) {
        node.kill();
      }
      node.deleteData();
    }
    network.destroy();
    LabState.delete(directory);
    release();
  }

  private void release() {
    if (deadMansSwitch != null) {
      deadMansSwitch.close();
    }
    giveBackAddresses.run();
  }

  private void started(LabNode node) throws IOException {
    // First, since this process may be ended at any time.
    if (deadMansSwitch != null) {
      deadMansSwitch.add(node.process().shellCommandToSignal("KILL"));
    }
    synchronized (state) {
      List<LabState.Node> running =
          nodes().stream()
              .filter(each -> each.process() != null)
              .map(each -> new LabState.Node(each.index(), each.process()))
              .toList();
      state.with(running).write(directory);
    }
  }
}
