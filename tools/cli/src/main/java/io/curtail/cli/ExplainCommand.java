/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.internal.core.config.typesafe.DefaultDriverConfigLoader;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.curtail.cli.option.Credentials;
import io.curtail.cli.option.Range;
import io.curtail.cli.output.ErrorText;
import io.curtail.cli.output.Output;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code curtail explain}. */
@Command(
    name = "explain",
    description =
        "Asks a live Cassandra node with curtail-server how it sees its replicas, and why it chose"
            + " as it did lately. Reads the virtual keyspace 'curtail' and changes nothing.")
final class ExplainCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final String POLICY_CLASS =
      DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS.getPath();

  /** TLS, credentials and time limits, and what else a connection needs. */
  private static final List<String> OF_THE_FILE =
      List.of(
          "advanced.auth-provider",
          "advanced.connection",
          "advanced.control-connection",
          "advanced.heartbeat",
          "advanced.metadata.schema.request-timeout",
          "advanced.protocol.version",
          "advanced.socket",
          "advanced.ssl-engine-factory",
          "basic.request.timeout");

  @Mixin private Output output;

  @Parameters(paramLabel = "NODE", description = "The node's address for clients.")
  private String host;

  @Option(
      names = {"-p", "--port"},
      defaultValue = "9042",
      description = "Its port for clients.")
  private int port;

  @Mixin private Credentials credentials;

  @Option(
      names = {"-d", "--decisions"},
      defaultValue = "5",
      description = "How many of the latest sampled decisions to show, 0 to 256.")
  private int decisions;

  @Option(
      names = "--driver-config",
      paramLabel = "FILE",
      description = {
        "The application.conf of a Java driver 4, for TLS, credentials and time limits; its contact"
            + " points, policies, profiles and metrics do not count here."
      })
  private Path driverConfig;

  @Override
  public Integer call() {
    Range.check("--port", port, 1, 65_535);
    Range.check("--decisions", decisions, 0, 256);
    if (driverConfig != null && !Files.isReadable(driverConfig)) {
      throw new IllegalArgumentException("no such file: " + driverConfig);
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("no such host: " + host);
    }
    try (CqlSession session = connect(address)) {
      Explanation explanation = Explanation.of(session, address, decisions);
      output.print(explanation, explanation::toText);
      return 0;
    } catch (AllNodesFailedException e) {
      throw new IllegalStateException(
          "no Cassandra node answers at " + host + ":" + port + ": " + cause(e), e);
    }
  }

  private CqlSession connect(InetSocketAddress address) {
    boolean isKnown = credentials.areGiven();
    try {
      CqlSessionBuilder builder =
          CqlSession.builder().addContactPoint(address).withConfigLoader(configuration());
      if (isKnown) {
        builder.withAuthCredentials(credentials.username(), credentials.password());
      }
      return builder.build();
    } catch (DriverException e) {
      throw e;
    } catch (RuntimeException e) {
      if (driverConfig == null) {
        throw e;
      }
      throw new IllegalArgumentException(
          "the driver does not take the configuration in %s: %s"
              .formatted(driverConfig, ErrorText.lowestCause(e)),
          e);
    }
  }

  private DriverConfigLoader configuration() {
    return driverConfig == null
        ? DriverConfigLoader.programmaticBuilder()
            .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AskedNodePolicy.class)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
            .build()
        : new DefaultDriverConfigLoader(this::whatCountsOfTheFile);
  }

  /** An application's policies, profiles and metrics need classes that are not here. */
  private Config whatCountsOfTheFile() {
    Config defaults = ConfigFactory.defaultReference(CqlSession.class.getClassLoader());
    Config file =
        ConfigFactory.parseFile(
            driverConfig.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
    Config all =
        ConfigFactory.defaultOverrides().withFallback(file).withFallback(defaults).resolve();
    Config counting = ConfigFactory.parseMap(Map.of(POLICY_CLASS, AskedNodePolicy.class.getName()));
    for (String path : OF_THE_FILE) {
      String whole = DefaultDriverConfigLoader.DEFAULT_ROOT_PATH + "." + path;
      if (all.hasPath(whole)) {
        counting = counting.withValue(path, all.getValue(whole));
      }
    }
    return counting.withFallback(defaults.getConfig(DefaultDriverConfigLoader.DEFAULT_ROOT_PATH));
  }

  private static String cause(AllNodesFailedException e) {
    return e.getAllErrors().values().stream()
        .flatMap(List::stream)
        .map(ErrorText::lowestCause)
        .findFirst()
        .orElse(e.getMessage());
  }
}
