/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A lab of one real node with curtail-server, which serves clients by TLS and password only. */
class ExplainOverTlsTest {
  private static final String SECRET = "a-secret";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private final Terminal terminal = new Terminal();

  @AfterEach
  void stopTheLab() {
    terminal.run("lab", "stop", "--directory", lab());
  }

  @Test
  void should_explain_a_node_that_asks_for_tls_and_a_password() throws Exception {
    Path keys = makeKeys();
    Path properties = folder.resolve("curtail.properties");
    Files.writeString(properties, "delegate_snitch=GossipingPropertyFileSnitch\nmode=rank\n");
    int started =
        terminal.run(
            "lab",
            "start",
            "tls",
            "--directory",
            lab(),
            "--nodes",
            "1",
            "--class-path",
            serverJar(),
            "--jvm-option",
            "-Dcurtail.config=" + properties,
            "--yaml",
            "endpoint_snitch=io.curtail.server.CurtailSnitch",
            "--yaml",
            "dynamic_snitch=false",
            "--yaml",
            "authenticator=PasswordAuthenticator",
            "--yaml",
            "client_encryption_options={enabled: true, optional: false, keystore: %s, keystore_password: %s}"
                .formatted(keys, SECRET),
            "--json");
    assertThat(started).as(terminal.err()).isZero();
    String node = terminal.json().at("/nodes/0/address").asText();
    String host = node.substring(0, node.indexOf(':'));

    String known = configuration("known", keys, "cassandra").toString();
    eventually(
        () ->
            assertThat(terminal.run("explain", host, "--driver-config", known))
                .as(terminal.err())
                .isZero());
    assertThat(terminal.out()).contains(host + ":9042: mode rank");

    String unknown = configuration("unknown", keys, "wrong").toString();
    refused(1, "no Cassandra node answers at " + host, host, "--driver-config", unknown);
    refused(1, "no Cassandra node answers at " + host, host);
    String unreadable = Files.writeString(folder.resolve("bad.conf"), "{").toString();
    refused(2, "the driver does not take the configuration", host, "--driver-config", unreadable);
    refused(2, "no such file: /none.conf", host, "--driver-config", "/none.conf");

    assertThat(terminal.run("lab", "status", "--directory", lab())).isZero();
    assertThat(terminal.out()).contains("lab tls: Cassandra", "up");
    assertThat(terminal.run("lab", "stop", "--directory", lab(), "--json")).isZero();
    assertThat(terminal.out().replaceAll("\\s", "")).isEqualTo("[\"tls\"]");
  }

  private void refused(int exitCode, String message, String... arguments) {
    String[] all = Stream.concat(Stream.of("explain"), Stream.of(arguments)).toArray(String[]::new);
    assertThat(terminal.run(all)).as(terminal.err()).isEqualTo(exitCode);
    assertThat(terminal.err().strip()).startsWith("curtail: " + message).hasLineCount(1);
  }

  private String lab() {
    return folder.resolve("lab").toString();
  }

  /** As an application would have it: what does not matter to the command is wrong. */
  private Path configuration(String name, Path keys, String password) throws IOException {
    return Files.writeString(
        folder.resolve(name + ".conf"),
        """
        datastax-java-driver {
          basic.contact-points = [ "127.255.255.254:9" ]
          basic.load-balancing-policy {
            class = com.example.OnlyInTheApplication
            local-datacenter = another
          }
          profiles.batch.basic.load-balancing-policy.class = com.example.OnlyInTheApplication
          advanced.speculative-execution-policy.class = io.curtail.driver.AdaptiveSpeculativeExecution
          advanced.throttler.class = io.curtail.driver.AdaptiveThrottler
          advanced.request-tracker.classes = [ com.example.OnlyInTheApplication ]
          advanced.metrics {
            factory.class = MicrometerMetricsFactory
            session.enabled = [ cql-requests ]
          }
          basic.request.timeout = 30 seconds
          advanced.connection.init-query-timeout = 30 seconds
          advanced.auth-provider {
            class = PlainTextAuthProvider
            username = cassandra
            password = %s
          }
          advanced.ssl-engine-factory {
            class = DefaultSslEngineFactory
            hostname-validation = false
            truststore-path = "%s"
            truststore-password = %s
          }
        }
        """
            .formatted(password, keys, SECRET));
  }

  private Path makeKeys() throws IOException, InterruptedException {
    Path keys = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=node",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                SECRET)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    return keys;
  }

  private static String serverJar() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)).stream()
        .filter(entry -> entry.matches(".*/curtail-server-[0-9][^/]*\\.jar"))
        .findFirst()
        .orElseThrow();
  }
}
