/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.cli.Terminal;
import io.curtail.engine.EngineMXBean;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands for several tables, of which one fails, asked of an engine that is none. */
class EngineTablesCommandTest {
  private static final String HOST = "java.rmi.server.hostname";

  private final Terminal terminal = new Terminal();
  private final AtomicInteger port = new AtomicInteger();
  private Registry registry;
  private RMIConnectorServer server;

  /** What the server names in its answers, wherever the name of this machine leads. */
  @BeforeAll
  static void nameLoopback() {
    System.setProperty(HOST, "127.0.0.1");
  }

  @AfterAll
  static void nameNothing() {
    System.clearProperty(HOST);
  }

  @BeforeEach
  void serve() throws IOException, JMException {
    registry =
        LocateRegistry.createRegistry(0, RMISocketFactory.getDefaultSocketFactory(), this::socket);
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    beans.registerMBean(
        new StandardMBean(engine(), EngineMXBean.class, true), new ObjectName(EngineMXBean.NAME));
    server =
        new RMIConnectorServer(
            new JMXServiceURL(
                "service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi".formatted(port.get())),
            Map.of(),
            beans);
    server.start();
  }

  private ServerSocket socket(int asked) throws IOException {
    ServerSocket socket = new ServerSocket(asked, 0, InetAddress.getLoopbackAddress());
    port.set(socket.getLocalPort());
    return socket;
  }

  /** It has three tables, and the second was dropped since it named them. */
  private static EngineMXBean engine() {
    return (EngineMXBean)
        Proxy.newProxyInstance(
            EngineMXBean.class.getClassLoader(),
            new Class<?>[] {EngineMXBean.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTables" ->
                      new TreeMap<>(
                          Map.of("k.first", Map.of(), "k.second", Map.of(), "k.third", Map.of()));
                  case "sweep" -> sweep((String) arguments[1]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static long sweep(String table) {
    if (table.equals("second")) {
      throw new IllegalArgumentException("k.second is not stored in RocksDB");
    }
    if (table.equals("silent")) {
      throw new IllegalStateException();
    }
    return 7;
  }

  @AfterEach
  void stop() throws IOException {
    server.stop();
    UnicastRemoteObject.unexportObject(registry, true);
  }

  @Test
  void should_do_the_others_when_a_table_goes_that_nobody_named() {
    assertThat(terminal.run("engine sweep 127.0.0.1 -p " + port)).isEqualTo(1);
    assertThat(terminal.out())
        .contains(
            "k.first: 7 records",
            "k.second: k.second is not stored in RocksDB",
            "k.third: 7 records");
  }

  @Test
  void should_name_an_error_that_says_nothing() {
    assertThat(terminal.run("engine sweep 127.0.0.1 -p " + port + " k.silent")).isEqualTo(1);
    assertThat(terminal.out()).isEqualTo("k.silent: java.lang.IllegalStateException\n");
  }

  @Test
  void should_call_it_bad_input_when_somebody_named_a_table_that_is_not_there() {
    assertThat(terminal.run("engine sweep 127.0.0.1 -p " + port + " k.second")).isEqualTo(2);
    assertThat(terminal.err()).contains("k.second is not stored in RocksDB");
  }

  @Test
  void should_say_that_no_process_has_a_number_that_is_too_large() {
    assertThat(terminal.run("engine status 99999999999999999999")).isEqualTo(1);
    assertThat(terminal.err().strip())
        .isEqualTo("curtail: no process of this machine has the number 99999999999999999999");
  }
}
