/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How the plug-in in the nodes is set for an arm. Immutable.
 *
 * @param name how the report calls it
 * @param settings of the table {@code curtail.settings}, {@code mode} among them
 */
public record ServerMode(String name, Map<String, String> settings) {
  /**
   * Cassandra's dynamic snitch around the cluster's own, Curtail out of the way. It starts anew in
   * each run, as after a restart of the nodes, so that it learns nothing from what Curtail tried.
   */
  public static final ServerMode DYNAMIC_SNITCH =
      new ServerMode("dynamic-snitch", Map.of("mode", "stock"));

  /** What an operator gets who sets the mode and nothing else. */
  public static final ServerMode C3 = new ServerMode("c3", Map.of("mode", "rank"));

  /** C3 whole: what is sent to a replica has a limit, too. */
  public static final ServerMode C3_RATE = new ServerMode("c3-rate", Map.of("mode", "rank+rate"));

  /** C3, and reads that would wait go to another replica. */
  public static final ServerMode C3_PASSING =
      new ServerMode("c3-passing", Map.of("mode", "rank", "passing", "on"));

  /**
   * The same, and slow reads are copied to replicas that have room, in place of Cassandra's way.
   */
  public static final ServerMode C3_COPIES =
      new ServerMode(
          "c3-passing-copies",
          Map.of(
              "mode", "rank", "passing", "on", "copies_percent", "2", "speculative_retry", "99p"));

  /** The dynamic snitch with Cassandra's second copies. */
  public static final ServerMode DYNAMIC_SNITCH_99P =
      new ServerMode("dynamic-snitch-99p", Map.of("mode", "stock", "speculative_retry", "99p"));

  /** An arm's own second copies of reads, which are an option of the table and not of the nodes. */
  public static final String SPECULATIVE_RETRY = "speculative_retry";

  private static final List<String> MODES = List.of("stock", "off", "observe", "rank", "rank+rate");

  private static final List<ServerMode> KNOWN =
      List.of(DYNAMIC_SNITCH, DYNAMIC_SNITCH_99P, C3, C3_RATE, C3_PASSING, C3_COPIES);

  public ServerMode {
    settings = Map.copyOf(settings);
  }

  /**
   * Understands {@code stock}, or a mode with other settings after it as in {@code
   * rank,policy=adaptive-replica-selection}. What is known by a name is called by it.
   *
   * @throws IllegalArgumentException if there is no such mode, a setting has no value, or {@code
   *     speculative_retry} one that CQL does not know; which others are right {@code
   *     curtail-server} knows
   */
  public static ServerMode parse(String text) {
    String[] parts = text.split(",", -1);
    if (!MODES.contains(parts[0])) {
      throw new IllegalArgumentException(
          "server: one of %s, with settings after it, not \"%s\""
              .formatted(String.join(", ", MODES), parts[0]));
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("mode", parts[0]);
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "server: setting=value expected, not \"" + parts[i] + "\"");
      }
      settings.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
    if (parts[0].equals("stock")
        && !Set.of("mode", SPECULATIVE_RETRY).containsAll(settings.keySet())) {
      throw new IllegalArgumentException(
          "server: stock has no setting but " + SPECULATIVE_RETRY + ", not as in \"" + text + "\"");
    }
    settings.computeIfPresent(
        SPECULATIVE_RETRY, (name, value) -> SpeculativeRetryOption.parse("server: " + name, value));
    for (ServerMode known : KNOWN) {
      if (known.settings.equals(settings)) {
        return known;
      }
    }
    return new ServerMode(text, settings);
  }
}
