/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.client;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.loadbalancing.DefaultLoadBalancingPolicy;
import com.sun.management.OperatingSystemMXBean;
import io.curtail.campaign.Progress;
import io.curtail.campaign.Turns;
import io.curtail.campaign.process.Polling;
import io.curtail.driver.WeightedLeastLoadedPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures how many requests one session completes against many nodes played by Simulacron in
 * another process, with a fixed number of them outstanding: stock Default policy against Curtail,
 * in {@link Turns}. Client and simulated servers share the machine, so processor time a request
 * says more than the rate.
 *
 * @param nodes that are simulated
 * @param pairs of runs
 * @param seconds of each run
 */
public record ClientRates(int nodes, int pairs, int seconds) {
  public static final String STOCK = "stock default";
  public static final String CURTAIL = "curtail";

  private static final int OUTSTANDING = 256;
  private static final int CONNECT_MINUTES = 5;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * Runs all pairs.
   *
   * @param progress told what was measured
   * @throws IOException if the simulated nodes cannot be started
   * @throws IllegalStateException if a request fails
   */
  public List<ClientRate> run(Progress progress) throws IOException {
    Process server = startServer();
    try (CqlSession stock = connect(DefaultLoadBalancingPolicy.class);
        CqlSession curtail = connect(WeightedLeastLoadedPolicy.class)) {
      measure(stock, STOCK, 0);
      measure(curtail, CURTAIL, 0);
      progress.report("warmed up");
      Map<String, CqlSession> sessions = Map.of(STOCK, stock, CURTAIL, curtail);
      List<ClientRate> rates = new ArrayList<>();
      for (int pair = 1; pair <= pairs; pair++) {
        for (String policy : Turns.order(List.of(STOCK, CURTAIL), pair)) {
          rates.add(measure(sessions.get(policy), policy, pair));
        }
        progress.report("pair " + pair + " of " + pairs);
      }
      return rates;
    } finally {
      server.destroy();
    }
  }

  private Process startServer() throws IOException {
    Process server =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                SimulatedNodes.class.getName(),
                Integer.toString(nodes))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); ; line = output.readLine()) {
      if (line == null) {
        throw new IOException(
            "the simulated nodes did not start: is port "
                + SimulatedNodes.PORT
                + " of "
                + SimulatedNodes.firstAddress()
                + " and the addresses after it taken?");
      }
      if (line.equals(SimulatedNodes.READY)) {
        return server;
      }
    }
  }

  private CqlSession connect(Class<? extends LoadBalancingPolicy> policy) {
    CqlSession session =
        CqlSession.builder()
            .addContactPoint(
                new InetSocketAddress(SimulatedNodes.firstAddress(), SimulatedNodes.PORT))
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, policy)
                    .withString(
                        DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER,
                        SimulatedNodes.DATACENTER)
                    .withString(() -> "basic.load-balancing-policy.local-rack", "rack1")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                    .withDuration(
                        DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(30))
                    .withDuration(
                        DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(30))
                    .build())
            .build();
    Polling.await(
        "a session connects",
        Duration.ofMinutes(CONNECT_MINUTES),
        Duration.ofMillis(50),
        () -> connected(session) >= nodes,
        () ->
            "only %d of %d nodes were connected in %d minutes"
                .formatted(connected(session), nodes, CONNECT_MINUTES));
    return session;
  }

  private static long connected(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getOpenConnections() > 0)
        .count();
  }

  private ClientRate measure(CqlSession session, String policy, int pair) {
    SimpleStatement query = SimpleStatement.newInstance(SimulatedNodes.QUERY);
    Semaphore outstanding = new Semaphore(OUTSTANDING);
    LongAdder answered = new LongAdder();
    LongAdder failed = new LongAdder();
    long cpu = SYSTEM.getProcessCpuTime();
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end) {
      outstanding.acquireUninterruptibly();
      session
          .executeAsync(query)
          .whenComplete(
              (rows, error) -> {
                (error == null ? answered : failed).increment();
                outstanding.release();
              });
    }
    outstanding.acquireUninterruptibly(OUTSTANDING);
    long nanos = System.nanoTime() - start;
    cpu = SYSTEM.getProcessCpuTime() - cpu;
    if (failed.sum() > 0) {
      throw new IllegalStateException(failed.sum() + " requests failed with the policy " + policy);
    }
    return new ClientRate(
        policy, pair, answered.sum() * 1e9 / nanos, cpu / 1e3 / Math.max(1, answered.sum()));
  }
}
