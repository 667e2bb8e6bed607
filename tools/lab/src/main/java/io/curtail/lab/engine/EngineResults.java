/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.load.Mix;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All runs, and what they say together. */
final class EngineResults {
  private final EngineSettings settings;
  private final List<Measured> runs;

  EngineResults(EngineSettings settings, List<Measured> runs) {
    this.settings = settings;
    this.runs = List.copyOf(runs);
  }

  List<Measured> runs() {
    return runs;
  }

  /** Those of one kind of node under one load. */
  List<Measured> runs(Kind kind, Mix mix, int clients) {
    return runs.stream()
        .filter(run -> run.kind() == kind && run.mix() == mix && run.clients() == clients)
        .toList();
  }

  boolean has(Mix mix, int clients) {
    return !runs(Kind.STOCK, mix, clients).isEmpty();
  }

  /** A number of a kind of node over its runs. */
  Spread of(Kind kind, Mix mix, int clients, ToDoubleFunction<Measured> number) {
    return Spread.of(runs(kind, mix, clients).stream().mapToDouble(number));
  }

  /** The engine's number divided by the stock node's, pair by pair. */
  Spread ratio(Mix mix, int clients, ToDoubleFunction<Measured> number) {
    return Spread.of(
        runs(Kind.ROCKSDB, mix, clients).stream()
            .mapToDouble(
                run ->
                    number.applyAsDouble(run)
                        / runs(Kind.STOCK, mix, clients).stream()
                            .filter(stock -> stock.pair() == run.pair())
                            .mapToDouble(number)
                            .findFirst()
                            .orElse(Double.NaN)));
  }

  /** Over all numbers of clients of a mix: nanoseconds of pauses for each second. */
  double pauseShare(Kind kind, Mix mix) {
    return sum(kind, mix, run -> run.cost().pauses().nanos() / 1e9)
        / sum(kind, mix, run -> run.result().seconds());
  }

  /** Over all numbers of clients of a mix: microseconds that the node stood still a request. */
  double pauseMicrosPerRequest(Kind kind, Mix mix) {
    return sum(kind, mix, run -> run.cost().pauses().nanos() / 1e3)
        / sum(kind, mix, run -> run.result().requests());
  }

  /** Over all numbers of clients of a mix. */
  double perRequest(Kind kind, Mix mix, ToDoubleFunction<Measured> number) {
    return sum(kind, mix, number) / sum(kind, mix, run -> run.result().requests());
  }

  /** Bytes written to storage for each byte that a user wrote, over a mix; NaN if none were. */
  double writeAmplification(Kind kind, Mix mix) {
    return sum(kind, mix, run -> run.cost().writtenBytes() + run.debt().writtenBytes())
        / (sum(kind, mix, run -> run.result().writes().getTotalCount())
            * settings.table().rowBytes());
  }

  private double sum(Kind kind, Mix mix, ToDoubleFunction<Measured> number) {
    return runs.stream()
        .filter(run -> run.kind() == kind && run.mix() == mix)
        .mapToDouble(number)
        .sum();
  }

  /** The median p99 of the stock node with so many clients, in milliseconds. */
  double stockP99Millis(Mix mix, int clients) {
    return of(Kind.STOCK, mix, clients, run -> run.millis(99)).median();
  }

  /** The number of clients with which the stock node answered most. */
  int stockBestClients(Mix mix) {
    int best = settings.clients().get(0);
    for (int clients : settings.clients()) {
      if (throughput(mix, clients) > throughput(mix, best)) {
        best = clients;
      }
    }
    return best;
  }

  private double throughput(Mix mix, int clients) {
    return of(Kind.STOCK, mix, clients, Measured::requestsPerSecond).median();
  }

  /**
   * What the engine answered while its p99 was no worse than the stock node's with so many clients,
   * divided by what that answered.
   */
  Spread throughputAtEqualP99(Mix mix, int clients) {
    return Spread.of(
        runs(Kind.STOCK, mix, clients).stream()
            .mapToDouble(
                stock ->
                    EqualP99.throughput(curve(mix, stock.pair()), stock.millis(99))
                        / stock.requestsPerSecond()));
  }

  private List<EqualP99.Point> curve(Mix mix, int pair) {
    return settings.clients().stream()
        .sorted()
        .flatMap(clients -> runs(Kind.ROCKSDB, mix, clients).stream())
        .filter(run -> run.pair() == pair)
        .map(run -> new EqualP99.Point(run.requestsPerSecond(), run.millis(99)))
        .toList();
  }
}
