/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code curtail explain}. */
@Command(
    name = "explain",
    description =
        "Asks a live Cassandra node with curtail-server how it sees its replicas, and why it chose"
            + " as it did lately. Reads the virtual keyspace 'curtail' and changes nothing.")
final class ExplainCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "HOST", description = "The node's address for clients.")
  private String host;

  @Option(
      names = {"-p", "--port"},
      defaultValue = "9042",
      description = "Its port for clients.")
  private int port;

  @Option(
      names = {"-u", "--username"},
      description = "Where the cluster asks for one.")
  private String username;

  @Option(
      names = "--password",
      interactive = true,
      arity = "0..1",
      description = "Asked for if no value is given.")
  private char[] password;

  @Option(
      names = {"-d", "--decisions"},
      defaultValue = "5",
      description = "How many of the latest sampled decisions to show, 0 to 256.")
  private int decisions;

  @Option(names = "--json", description = "Print it as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (decisions < 0 || decisions > 256) {
      throw new IllegalArgumentException("decisions: must be 0 to 256, not " + decisions);
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("no such host: " + host);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (CqlSession session = connect(address)) {
      Explanation explanation = Explanation.of(session, address, decisions);
      out.print(json ? explanation.toJson() : explanation.toText());
      out.flush();
      return 0;
    } catch (AllNodesFailedException e) {
      throw new IllegalStateException(
          "no Cassandra node answers at " + host + ":" + port + ": " + cause(e), e);
    }
  }

  private CqlSession connect(InetSocketAddress address) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoint(address)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withClass(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                        DcInferringLoadBalancingPolicy.class)
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                    .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                    .build());
    if (username != null) {
      builder.withAuthCredentials(username, password == null ? "" : new String(password));
    }
    return builder.build();
  }

  private static String cause(AllNodesFailedException e) {
    return e.getAllErrors().values().stream()
        .flatMap(List::stream)
        .map(Throwable::getMessage)
        .findFirst()
        .orElse(e.getMessage());
  }
}
