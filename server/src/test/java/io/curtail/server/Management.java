/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A node's MBeans, reached through its process. */
final class Management implements AutoCloseable {
  private final JMXConnector connector;
  private final MBeanServerConnection server;

  @SuppressWarnings("BanJNDI") // a process that this test started
  Management(long pid) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
    try {
      connector =
          JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
    } finally {
      machine.detach();
    }
    server = connector.getMBeanServerConnection();
  }

  /** What the documentation tells operators to call. */
  void updateSnitch(String className, boolean dynamic) throws Exception {
    server.invoke(
        new ObjectName("org.apache.cassandra.db:type=StorageService"),
        "updateSnitch",
        new Object[] {className, dynamic, null, null, null},
        new String[] {
          String.class.getName(),
          Boolean.class.getName(),
          Integer.class.getName(),
          Integer.class.getName(),
          Double.class.getName()
        });
  }

  Object get(String bean, String attribute) throws Exception {
    return server.getAttribute(new ObjectName(bean), attribute);
  }

  void set(String bean, Attribute attribute) throws Exception {
    server.setAttribute(new ObjectName(bean), attribute);
  }

  void setMode(String mode) throws Exception {
    set(CurtailMBean.NAME, new Attribute("Mode", mode));
  }

  long beans(String pattern) throws Exception {
    return server.queryNames(new ObjectName(pattern), null).size();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
