/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import io.curtail.lab.process.Commands;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Round trips that only kernels take part in, so that no busy program is measured with them. */
final class Ping {
  private static final Pattern TIME = Pattern.compile("time=([0-9.]+) ms");
  private static final String INTERVAL_SECONDS = "0.003";

  private Ping() {}

  /**
   * The median, in nanoseconds.
   *
   * @param prefix a command that runs it elsewhere; may be empty
   */
  static long medianNanos(List<String> prefix, String source, String target, int probes)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            "ping",
            "-n",
            "-c",
            Integer.toString(probes),
            "-i",
            INTERVAL_SECONDS,
            "-W",
            "2",
            "-I",
            source,
            target));
    Matcher matcher = TIME.matcher(Commands.run(command));
    List<Double> millis = new ArrayList<>();
    while (matcher.find()) {
      millis.add(Double.parseDouble(matcher.group(1)));
    }
    if (millis.size() < probes / 2) {
      throw new IOException(
          source + " had " + millis.size() + " of " + probes + " answers from " + target);
    }
    return Math.round(1e6 * millis.stream().sorted().toList().get(millis.size() / 2));
  }
}
