/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Locale;

/**
 * One run of load over all clients together.
 *
 * @param rateHz requests a second that arrive, whatever the cluster does; 0 runs a closed loop
 * @param outstanding for a closed loop: requests in flight over all clients
 * @param warmUp at the run's beginning, sent but not counted
 * @param length what is counted
 * @param seed the same seed gives the same arrivals, keys and operations
 * @param joiners for a closed loop: generators that come later, or null
 */
@RecordBuilder
public record LoadSpec(
    double rateHz,
    int outstanding,
    Duration warmUp,
    Duration length,
    Mix mix,
    KeyDistribution keys,
    ConsistencyLevel consistency,
    long seed,
    Joiners joiners)
    implements LoadSpecBuilder.With {

  public LoadSpec {
    require(rateHz >= 0 && Double.isFinite(rateHz), "rate: more than 0 requests a second");
    require(rateHz > 0 || outstanding > 0, "rate: more than 0 requests a second");
    require(length.toMillis() >= 1000, "seconds: at least 1");
    require(joiners == null || rateHz == 0, "joiners: only a closed loop can be joined");
  }

  public static LoadSpec openLoop(double rateHz, Duration length, KeyDistribution keys) {
    require(rateHz > 0, "rate: more than 0 requests a second");
    return new LoadSpec(
        rateHz,
        0,
        Duration.ofSeconds(2),
        length,
        Mix.B,
        keys,
        DefaultConsistencyLevel.ONE,
        1,
        null);
  }

  /** The same load from clients that each wait for an answer before they ask again. */
  public LoadSpec closedLoop(int requestsOutstanding) {
    return with().rateHz(0).outstanding(requestsOutstanding).build();
  }

  /**
   * The level that a user named.
   *
   * @throws IllegalArgumentException for any other name
   */
  public static ConsistencyLevel consistencyNamed(String name) {
    try {
      return DefaultConsistencyLevel.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "consistency: such as ONE, QUORUM, LOCAL_ONE or LOCAL_QUORUM, not \"" + name + "\"", e);
    }
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
