/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** What all clients of a run saw together. Latencies in microseconds from the intended start. */
public final class LoadResult {
  private final List<Histogram> seconds = new ArrayList<>();
  private final Map<String, Histogram> byZone = new TreeMap<>();
  private final Map<String, int[]> requestsByNode = new TreeMap<>();
  private final Map<String, Long> errors = new TreeMap<>();
  private final Histogram all = new Histogram(1, ClientRecording.HIGHEST_MICROS, 3);
  private final Histogram writes = new Histogram(1, ClientRecording.HIGHEST_MICROS, 3);
  private final Histogram lateness = new Histogram(1, ClientRecording.HIGHEST_MICROS, 3);
  private final DelayError delayError = DelayError.none();
  private final int clients;
  private long answeredInTime;
  private long inFlightNanos;
  private final List<CopyRecording> copies = new ArrayList<>();

  LoadResult(List<ClientRecording> clients) {
    this.clients = clients.size();
    for (ClientRecording client : clients) {
      add(client);
    }
    seconds.forEach(all::add);
  }

  private void add(ClientRecording client) {
    Histogram zone =
        byZone.computeIfAbsent(
            client.zone(), z -> new Histogram(1, ClientRecording.HIGHEST_MICROS, 3));
    for (int i = 0; i < client.seconds().length; i++) {
      if (seconds.size() <= i) {
        Histogram second = new Histogram(1, 2, 3);
        second.setAutoResize(true);
        seconds.add(second);
      }
      seconds.get(i).add(client.seconds()[i]);
      zone.add(client.seconds()[i]);
    }
    client.requestsByNode().forEach(this::addNode);
    client.errors().forEach((name, count) -> errors.merge(name, count, Long::sum));
    writes.add(client.writes());
    lateness.add(client.latenessMicros());
    delayError.add(client.delayError());
    answeredInTime += client.answeredInTime();
    inFlightNanos += client.inFlightNanos();
    copies.add(client.copies());
  }

  private void addNode(String address, int[] counts) {
    int[] sum = requestsByNode.computeIfAbsent(address, a -> new int[counts.length]);
    for (int i = 0; i < counts.length; i++) {
      sum[i] += counts[i];
    }
  }

  public Histogram all() {
    return all;
  }

  /** What is left of all without the writes. */
  public Histogram reads() {
    Histogram reads = all.copy();
    reads.subtract(writes);
    return reads;
  }

  public Histogram writes() {
    return writes;
  }

  /** One histogram a second of the counted part. */
  public List<Histogram> seconds() {
    return Collections.unmodifiableList(seconds);
  }

  public Map<String, Histogram> byZone() {
    return Collections.unmodifiableMap(byZone);
  }

  /** By the coordinator's address: how many requests it answered in each second. */
  public Map<String, int[]> requestsByNode() {
    return Collections.unmodifiableMap(requestsByNode);
  }

  public Map<String, Long> errors() {
    return Collections.unmodifiableMap(errors);
  }

  public long requests() {
    return all.getTotalCount();
  }

  public double requestsPerSecond() {
    return (double) requests() / seconds.size();
  }

  /**
   * Successes a second while the counted part lasted, whenever they were asked for: an overloaded
   * cluster answers fewer than arrive.
   */
  public double answersPerSecond() {
    return (double) answeredInTime / seconds.size();
  }

  public int clients() {
    return clients;
  }

  /** The mean, by Little's law; a request that failed was in flight until it did. */
  public double inFlightPerClient() {
    return inFlightNanos / 1e9 / seconds.size() / clients;
  }

  /** All second copies of the counted part. */
  public CopyTotals copies() {
    return copies(0, seconds.size());
  }

  /** Second copies between two seconds of the counted part. */
  public CopyTotals copies(double fromSecond, double toSecond) {
    return within(fromSecond, toSecond, seconds.size())
        .boxed()
        .flatMap(second -> copies.stream().map(client -> client.counted(second)))
        .reduce(CopyTotals.NONE, CopyTotals::plus);
  }

  /**
   * After how long a second copy was due between two seconds of the counted part, the mean over
   * nodes, clients and seconds; NaN if that is not known.
   */
  public double copyDelayMillis(double fromSecond, double toSecond) {
    return within(fromSecond, toSecond, seconds.size())
        .boxed()
        .flatMapToDouble(
            second -> copies.stream().mapToDouble(client -> client.delayMillis(second)))
        .average()
        .orElse(Double.NaN);
  }

  private static IntStream within(double fromSecond, double toSecond, int seconds) {
    return IntStream.range((int) Math.ceil(fromSecond), (int) Math.min(toSecond, seconds));
  }

  /** Of requests that should have been sent between two seconds of the counted part. */
  public Histogram within(double fromSecond, double toSecond) {
    Histogram within = new Histogram(1, ClientRecording.HIGHEST_MICROS, 3);
    within(fromSecond, toSecond, seconds.size()).forEach(second -> within.add(seconds.get(second)));
    return within;
  }

  /**
   * Requests that should have been sent between two seconds of the counted part, and were answered.
   */
  public long answered(double fromSecond, double toSecond) {
    return within(fromSecond, toSecond, seconds.size())
        .mapToLong(second -> requestsByNode.values().stream().mapToLong(of -> of[second]).sum())
        .sum();
  }

  /** How late requests were sent, in microseconds; empty for a closed loop. */
  public Histogram latenessMicros() {
    return lateness;
  }

  public DelayError delayError() {
    return delayError;
  }

  /** How many requests took longer than this. */
  public long slowerThan(long micros) {
    return requests() - all.getCountBetweenValues(0, micros);
  }

  /** Writes an HdrHistogram interval log, one line a second, for its own tools. */
  public void writeIntervalLog(Path file) throws IOException {
    try (PrintStream out = new PrintStream(Files.newOutputStream(file))) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputComment("latencies in microseconds from the intended start");
      writer.outputLegend();
      for (int i = 0; i < seconds.size(); i++) {
        Histogram second = seconds.get(i).copy();
        second.setStartTimeStamp(i * 1_000L);
        second.setEndTimeStamp((i + 1) * 1_000L);
        writer.outputIntervalHistogram(second);
      }
    }
  }
}
