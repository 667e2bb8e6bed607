/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import one.profiler.AsyncProfiler;
import one.profiler.Counter;

/**
 * A turn of {@link TableTurns} under <a
 * href="https://github.com/async-profiler">async-profiler</a>, which sees Java, C and C++ in one
 * stack. {@code NodeProcess} calls it.
 */
public final class ProfiledTurn {
  /** The node's output is for answers: nothing may be printed there. */
  private static final String QUIET = ",loglevel=none";

  private ProfiledTurn() {}

  /**
   * Does what the case asks for so long.
   *
   * @param flameGraph file to write, in HTML; empty for none
   * @return samples of each layer, as {@link TableProfile#count} says
   * @throws IllegalStateException if the profiler does not run on this machine
   */
  public static String profile(String name, String storage, String millis, String flameGraph)
      throws Exception {
    AsyncProfiler profiler = profiler();
    String unused = profiler.execute("start,event=ctimer,interval=200us,cstack=vm" + QUIET);
    try {
      String unusedTurn = TableTurns.measure(name, storage, millis);
    } finally {
      profiler.stop();
    }
    if (!flameGraph.isEmpty()) {
      String unusedWritten =
          profiler.execute(
              "dump,flamegraph,file="
                  + flameGraph
                  + ",include=*TableTurns.measure*,title="
                  + TableCase.valueOf(name).title().replace(",", "")
                  + " on "
                  + storage
                  + QUIET);
    }
    return TableProfile.count(profiler.dumpCollapsed(Counter.SAMPLES));
  }

  private static AsyncProfiler profiler() {
    try {
      return AsyncProfiler.getInstance();
    } catch (IllegalStateException | LinkageError e) {
      throw new IllegalStateException("async-profiler does not run on this machine: " + e, e);
    }
  }
}
