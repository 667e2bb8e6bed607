/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A running node's management beans, without a port of its own: through its process id. */
final class JmxConnection implements AutoCloseable {
  private final JMXConnector connector;
  private final MBeanServerConnection beans;
  private final MemoryMXBean memory;

  @SuppressWarnings("BanJNDI") // the address is what a process that we started says
  JmxConnection(long pid) throws IOException {
    connector = JMXConnectorFactory.connect(new JMXServiceURL(address(pid)));
    beans = connector.getMBeanServerConnection();
    memory =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
  }

  private static String address(long pid) throws IOException {
    try {
      VirtualMachine node = VirtualMachine.attach(Long.toString(pid));
      try {
        return node.startLocalManagementAgent();
      } finally {
        node.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("cannot attach to process " + pid, e);
    }
  }

  long heapUsedBytes() {
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** Calls an operation whose parameters are strings or arrays of them. */
  void invoke(String bean, String operation, Object... arguments) throws IOException {
    String[] types = new String[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = arguments[i].getClass().getName();
    }
    try {
      beans.invoke(new ObjectName(bean), operation, arguments, types);
    } catch (JMException e) {
      throw new IllegalStateException(operation + " of " + bean + " failed: " + e.getCause(), e);
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
