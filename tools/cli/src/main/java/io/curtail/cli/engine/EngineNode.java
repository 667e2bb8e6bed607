/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.Credentials;
import io.curtail.cli.option.Range;
import io.curtail.cli.output.ErrorText;
import io.curtail.engine.EngineMXBean;
import io.curtail.lab.cluster.NodeManagement;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.rmi.RemoteException;
import java.util.Map;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A running node with the engine, and how to reach it. */
final class EngineNode {
  @Parameters(
      index = "0",
      paramLabel = "NODE",
      description =
          "The host of its JMX; or, as a number, the process on this machine that is the node, whose"
              + " user or root runs this.")
  private String node;

  @Option(
      names = {"-p", "--port"},
      defaultValue = "7199",
      description = "Port of the node's JMX.")
  private int port;

  @Mixin private Credentials credentials;

  /** What is asked of the node. */
  interface Request<T> {
    T of(EngineMXBean engine) throws IOException;
  }

  /**
   * Asks it something.
   *
   * @throws IllegalStateException if it is not there, goes away or has no engine; in a line for the
   *     user
   */
  <T> T ask(Request<T> request) throws IOException {
    Range.check("--port", port, 1, 65_535);
    try (JMXConnector connector = connect()) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName name = new ObjectName(EngineMXBean.NAME);
      if (!server.isRegistered(name)) {
        throw new IllegalStateException(
            node + " has no table in RocksDB since its start, or is no node with curtail-engine");
      }
      return request.of(JMX.newMXBeanProxy(server, name, EngineMXBean.class));
    } catch (RemoteException | UndeclaredThrowableException e) {
      throw new IllegalStateException(
          "the connection to "
              + node
              + " broke; what was asked may go on there (curtail engine status): "
              + ErrorText.lowestCause(e),
          e);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("BanJNDI") // the operator names the host
  private JMXConnector connect() {
    try {
      if (isProcess()) {
        return NodeManagement.connect(Long.parseLong(node));
      }
      Map<String, Object> environment =
          credentials.areGiven()
              ? Map.of(
                  JMXConnector.CREDENTIALS,
                  new String[] {credentials.username(), credentials.password()})
              : Map.of();
      return JMXConnectorFactory.connect(
          new JMXServiceURL("service:jmx:rmi:///jndi/rmi://%s:%d/jmxrmi".formatted(node, port)),
          environment);
    } catch (NumberFormatException e) {
      throw new IllegalStateException("no process of this machine has the number " + node, e);
    } catch (IOException | SecurityException e) {
      throw new IllegalStateException(
          "no JMX answers at "
              + node
              + (isProcess() ? "" : ":" + port)
              + ": "
              + ErrorText.lowestCause(e),
          e);
    }
  }

  private boolean isProcess() {
    return node.matches("[0-9]+");
  }
}
