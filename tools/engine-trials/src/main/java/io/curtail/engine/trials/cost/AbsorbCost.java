/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import java.util.List;
import java.util.stream.Stream;

/**
 * What it cost to absorb a data file, until all of it was in files of RocksDB.
 *
 * @param cpuMillis of all threads of the node
 * @param writtenBytes to the disk, the log included
 * @param millis that it took
 * @param fileBytes of the data file, as it is on the disk
 */
public record AbsorbCost(double cpuMillis, double writtenBytes, double millis, double fileBytes) {
  static AbsorbCost of(String line) {
    List<Double> numbers = Stream.of(line.split(" ")).map(Double::valueOf).toList();
    return new AbsorbCost(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
  }

  String line() {
    return cpuMillis + " " + writtenBytes + " " + millis + " " + fileBytes;
  }
}
