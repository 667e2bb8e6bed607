/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import java.util.List;
import java.util.Map;

/** The layout of {@code report.json}. Latencies in milliseconds, shares between 0 and 1. */
record EngineData(
    String tool,
    int layout,
    String finishedAt,
    boolean interrupted,
    Map<String, String> versions,
    Map<String, String> machine,
    EngineSettings settings,
    Map<String, Long> diskBytesAfterLoading,
    List<LoadData> loads,
    List<RunData> runs) {

  /**
   * The engine beside the stock node under one load.
   *
   * @param ratios rocksdb divided by stock, pair by pair
   * @param throughputAtEqualP99 of rocksdb, at the p99 of stock with so many clients, divided by
   *     the throughput of stock
   */
  record LoadData(
      String mix, int clients, Map<String, Spread> ratios, Spread throughputAtEqualP99) {}

  /** One run. Writes and what follows from them are null for reads alone. */
  record RunData(
      String node,
      String mix,
      int clients,
      int pair,
      long requests,
      long timeouts,
      double seconds,
      double requestsPerSecond,
      Map<String, Double> readMillis,
      Map<String, Double> writeMillis,
      int pauses,
      double pauseMillis,
      double longestPauseMillis,
      double pauseShare,
      double pauseMicrosPerRequest,
      double heapBytesPerRequest,
      double cpuMicrosPerRequest,
      long storageBytesWritten,
      long storageBytesWrittenAfter,
      long storageBytesRead,
      double cpuSecondsAfter,
      Double writeAmplification,
      long residentBytes) {}
}
