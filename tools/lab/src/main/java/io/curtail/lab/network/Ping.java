/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import io.curtail.campaign.Median;
import io.curtail.campaign.process.Commands;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Round trips that only kernels take part in, so that no busy program is measured with them. */
final class Ping {
  /** As it says it in English. */
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
            "env",
            "LC_ALL=C",
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
    double[] millis =
        TIME.matcher(Commands.run(command))
            .results()
            .mapToDouble(result -> Double.parseDouble(result.group(1)))
            .toArray();
    if (millis.length < Math.max(1, probes / 2)) {
      throw new IOException(
          source + " had " + millis.length + " of " + probes + " answers from " + target);
    }
    return Math.round(1e6 * Median.of(millis));
  }
}
