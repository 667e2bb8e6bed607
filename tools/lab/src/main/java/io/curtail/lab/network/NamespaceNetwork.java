/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import io.curtail.campaign.process.Commands;
import io.curtail.campaign.process.DeadMansSwitch;
import io.curtail.campaign.process.ProcessIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A network namespace a node and a router between them, whose packets a program holds back for as
 * long as the latency between their zones: half the round trip each way, less what the way takes
 * anyhow, which {@link #calibrate()} measures. Needs root.
 *
 * <p>Packets between a client of zone x and a node of zone y take {@code T[x][y] / 2} in both
 * directions, packets from a node of zone x to one of zone y {@code T[x][y] / 2}.
 */
public final class NamespaceNetwork implements ZoneNetwork {
  private static final int SIZE = 256;
  private static final int[] DELAYS_MICROS = {60, 400};
  private static final int START_SECONDS = 60; // one that cannot start ends at once
  private static final int CALIBRATION_ROUNDS = 4;
  private static final int CALIBRATION_PROBES = 60;

  private final AddressBlock addresses;
  private final int nodes;
  private final int zones;
  private final Path directory;
  private final Map<InetAddress, Duration> egress = new ConcurrentHashMap<>();
  private volatile ZoneLatencies latencies = ZoneLatencies.NONE;
  private volatile Overhead clientOverhead = new Overhead(0, 0);
  private volatile Overhead nodeOverhead = new Overhead(0, 0);
  private volatile ProcessIdentity delayProcess;

  private NamespaceNetwork(AddressBlock addresses, int nodes, int zones, Path directory) {
    this.addresses = addresses;
    this.nodes = nodes;
    this.zones = zones;
    this.directory = directory.resolve("network");
  }

  /**
   * Makes the namespaces and starts the delay, still without any latency and not calibrated.
   *
   * @param programs where compiled programs are kept between labs
   * @throws IllegalStateException if this user or this machine cannot; says what is missing
   */
  public static NamespaceNetwork create(
      AddressBlock addresses,
      int nodes,
      int zones,
      Path labDirectory,
      Path programs,
      DeadMansSwitch deadMansSwitch)
      throws IOException {
    NetworkPrograms.requirePrerequisites();
    NamespaceNetwork network = new NamespaceNetwork(addresses, nodes, zones, labDirectory);
    Files.createDirectories(network.directory);
    Path script = NetworkPrograms.script(network.directory);
    Path delay = NetworkPrograms.delay(programs);
    deadMansSwitch.add("sh " + DeadMansSwitch.quoted(script) + " down " + addresses.label());
    try {
      Commands.run(
          "sh",
          script.toString(),
          "up",
          addresses.label(),
          addresses.prefix(),
          String.join(" ", network.nodeSuffixes()),
          String.join(" ", network.clientSuffixes()));
      network.startDelay(delay);
      deadMansSwitch.add(network.delayProcess.shellCommandToSignal("KILL"));
    } catch (IOException | RuntimeException e) {
      network.destroy();
      throw e;
    }
    return network;
  }

  /** Takes hold of a network that another process made. */
  public static NamespaceNetwork attach(
      AddressBlock addresses, int nodes, int zones, Path labDirectory) throws IOException {
    NamespaceNetwork network = new NamespaceNetwork(addresses, nodes, zones, labDirectory);
    List<Long> overhead =
        Stream.of(Files.readString(network.overheadFile()).strip().split(" ", -1))
            .map(Long::valueOf)
            .toList();
    network.clientOverhead = new Overhead(overhead.get(0), overhead.get(1));
    network.nodeOverhead = new Overhead(overhead.get(2), overhead.get(3));
    network.delayProcess =
        new ProcessIdentity(
            Long.parseLong(Files.readString(network.pidFile()).strip()),
            Long.parseLong(Files.readString(network.startFile()).strip()));
    network.latencies = ZoneLatencies.TALK;
    return network;
  }

  @Override
  public List<String> commandPrefix(int nodeIndex) {
    return List.of(
        "ip",
        "netns",
        "exec",
        "curtail-" + addresses.label() + "-" + suffix(addresses.node(nodeIndex, zones)));
  }

  private void startDelay(Path program) throws IOException {
    Files.write(table(), new byte[SIZE * SIZE * Integer.BYTES]);
    Files.writeString(overheadFile(), "0 0 0 0");
    Files.write(statistics(), new byte[Lateness.FILE_BYTES]);
    Path log = directory.resolve("zone-delay.log");
    Files.deleteIfExists(log);
    Process process =
        new ProcessBuilder(
                List.of(
                    "ip",
                    "netns",
                    "exec",
                    "curtail-" + addresses.label() + "-router",
                    "setsid",
                    program.toString(),
                    table().toString(),
                    statistics().toString()))
            .redirectInput(new java.io.File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    delayProcess = ProcessIdentity.of(process.pid());
    Files.writeString(pidFile(), Long.toString(delayProcess.pid()));
    Files.writeString(startFile(), Long.toString(delayProcess.startTicks()));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.readString(log).contains("ready")) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException(
            "the delay of packets did not start: " + Files.readString(log).strip());
      }
      sleep(10);
    }
  }

  /**
   * Measures what a packet takes anyhow: pings through two known delays, as waking up takes longer
   * after a longer sleep. Of the medians of several rounds the smallest counts, as what is busy for
   * a moment only adds.
   */
  public void calibrate() throws IOException {
    ZoneLatencies before = latencies;
    long[] client = {Long.MAX_VALUE, Long.MAX_VALUE};
    long[] node = {Long.MAX_VALUE, Long.MAX_VALUE};
    for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
      for (int i = 0; i < DELAYS_MICROS.length; i++) {
        int micros = DELAYS_MICROS[i];
        fill((from, to) -> micros);
        String target = addresses.node(nodes, zones);
        client[i] = Math.min(client[i], overhead(List.of(), addresses.client(0), target, micros));
        node[i] =
            nodes == 1
                ? client[i]
                : Math.min(
                    node[i], overhead(commandPrefix(1), addresses.node(1, zones), target, micros));
      }
    }
    clientOverhead = new Overhead(client[0], client[1]);
    nodeOverhead = new Overhead(node[0], node[1]);
    Files.writeString(
        overheadFile(), "%d %d %d %d".formatted(client[0], client[1], node[0], node[1]));
    use(before);
  }

  private static long overhead(List<String> prefix, String source, String target, int micros)
      throws IOException {
    long roundTripNanos = Ping.medianNanos(prefix, source, target, CALIBRATION_PROBES);
    return Math.max(0, roundTripNanos - 2000L * micros) / 2;
  }

  /** What a packet takes beside a short and a long delay; between them it grows evenly. */
  private record Overhead(long shortNanos, long longNanos) {

    /** The delay that makes a packet take this long in all. */
    long delayNanos(long oneWayNanos) {
      double share =
          (oneWayNanos / 1000.0 - DELAYS_MICROS[0]) / (DELAYS_MICROS[1] - DELAYS_MICROS[0]);
      double overhead = shortNanos + Math.min(1, Math.max(0, share)) * (longNanos - shortNanos);
      return Math.max(0, oneWayNanos - Math.round(overhead));
    }
  }

  @Override
  public void use(ZoneLatencies latencies) throws IOException {
    this.latencies = latencies;
    fill(this::micros);
  }

  @Override
  public void delayEgress(InetAddress node, Duration delay) throws IOException {
    egress.put(node, delay);
    fill(this::micros);
  }

  @Override
  public long toNodeNanos(String clientZone, InetAddress node) {
    return 0;
  }

  @Override
  public long toClientNanos(String clientZone, InetAddress node) {
    return 0;
  }

  /** What a packet from or to a client takes one way by itself, beside a long delay. */
  public long overheadNanos() {
    return clientOverhead.longNanos();
  }

  /** How late packets were so far; take the difference of two to judge a run. */
  public Lateness lateness() throws IOException {
    return Lateness.read(statistics());
  }

  /**
   * Ends the delay and removes the namespaces; nodes that still live in them lose their network.
   */
  @Override
  public void destroy() throws IOException {
    if (delayProcess != null) {
      delayProcess.signal("KILL");
      delayProcess.awaitEnd(Duration.ofSeconds(5));
    }
    Commands.run("sh", NetworkPrograms.scriptOf(directory).toString(), "down", addresses.label());
  }

  /** Measures the round trips between all zones, by pings: from each client, between the nodes. */
  public List<ZoneMeasurement> measure(int probes) throws IOException {
    List<ZoneMeasurement> measurements = new ArrayList<>();
    for (int from = 0; from < zones; from++) {
      for (int to = 0; to < zones; to++) {
        String x = ZoneLatencies.zone(from);
        String y = ZoneLatencies.zone(to);
        String node = addresses.node(to + 1, zones);
        measurements.add(
            new ZoneMeasurement(
                "client",
                x,
                y,
                latencies.roundTripMicros(x, y),
                Ping.medianNanos(List.of(), addresses.client(from), node, probes) / 1000.0));
        int other = from == to ? to + 1 + zones : from + 1;
        if (from <= to && other <= nodes) {
          measurements.add(
              new ZoneMeasurement(
                  "node",
                  x,
                  y,
                  (latencies.roundTripMicros(x, y) + latencies.roundTripMicros(y, x)) / 2.0,
                  Ping.medianNanos(commandPrefix(other), addresses.node(other, zones), node, probes)
                      / 1000.0));
        }
      }
    }
    return measurements;
  }

  private int micros(int from, int to) {
    String fromZone = zone(from);
    String toZone = zone(to);
    // The table is by client and node whichever way a packet goes, by sender between two nodes.
    long oneWay =
        isClient(to) && !isClient(from)
            ? latencies.oneWayNanos(toZone, fromZone)
            : latencies.oneWayNanos(fromZone, toZone);
    Overhead overhead = isClient(from) || isClient(to) ? clientOverhead : nodeOverhead;
    Duration added =
        egress.getOrDefault(AddressBlock.parse(addresses.prefix() + "." + from), Duration.ZERO);
    return (int) ((overhead.delayNanos(oneWay) + added.toNanos()) / 1000);
  }

  private interface Delay {
    int micros(int from, int to);
  }

  /** One write, so that no packet sees half of a new table for long. */
  private synchronized void fill(Delay delay) throws IOException {
    List<Integer> all = new ArrayList<>();
    nodeSuffixes().forEach(suffix -> all.add(Integer.valueOf(suffix)));
    clientSuffixes().forEach(suffix -> all.add(Integer.valueOf(suffix)));
    ByteBuffer table =
        ByteBuffer.allocate(SIZE * SIZE * Integer.BYTES).order(ByteOrder.nativeOrder());
    for (int from : all) {
      for (int to : all) {
        table.putInt((from * SIZE + to) * Integer.BYTES, delay.micros(from, to));
      }
    }
    try (FileChannel channel = FileChannel.open(table(), StandardOpenOption.WRITE)) {
      channel.write(table, 0);
    }
  }

  private boolean isClient(int suffix) {
    return clientSuffixes().contains(Integer.toString(suffix));
  }

  private static String zone(int suffix) {
    return ZoneLatencies.zone(AddressBlock.zoneOfSuffix(suffix));
  }

  private List<String> nodeSuffixes() {
    List<String> suffixes = new ArrayList<>();
    for (int index = 1; index <= nodes; index++) {
      suffixes.add(suffix(addresses.node(index, zones)));
    }
    return suffixes;
  }

  private List<String> clientSuffixes() {
    List<String> suffixes = new ArrayList<>();
    for (int zone = 0; zone < ZoneLatencies.zones().size(); zone++) {
      suffixes.add(suffix(addresses.client(zone)));
    }
    return suffixes;
  }

  private static String suffix(String address) {
    return address.substring(address.lastIndexOf('.') + 1);
  }

  private Path table() {
    return directory.resolve("delays");
  }

  private Path statistics() {
    return directory.resolve("lateness");
  }

  private Path overheadFile() {
    return directory.resolve("overhead-nanos");
  }

  private Path pidFile() {
    return directory.resolve("zone-delay.pid");
  }

  private Path startFile() {
    return directory.resolve("zone-delay.start");
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the network was made", e);
    }
  }
}
