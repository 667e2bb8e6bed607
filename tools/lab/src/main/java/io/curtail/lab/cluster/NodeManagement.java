/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A node's MBeans, reached through its process: no port is opened to the network. */
public final class NodeManagement implements AutoCloseable {
  /** The bean that nodetool asks for most. */
  public static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  /**
   * The workers that most of Cassandra's stages share. It starts one when all that it has are busy,
   * as many as the stages may use together, and never ends one. Each bears the name of the stage
   * that it served last, so names do not tell them from threads of a stage's own.
   */
  public static final String SHARED_POOL = "SharedPool";

  private static final String SHARED_WORKER = "org.apache.cassandra.concurrent.SEPWorker";
  private static final List<Class<?>> UPDATE_SNITCH =
      List.of(String.class, Boolean.class, Integer.class, Integer.class, Double.class);
  private static final Pattern NUMBER = Pattern.compile("[-:#]?[0-9]+");

  private final JMXConnector connector;
  private final MBeanServerConnection server;

  /**
   * Connects to the node's latest process.
   *
   * @throws IOException if that is gone, or does not let this user in
   */
  public NodeManagement(LabNode node) throws IOException {
    connector = connect(node.pid());
    server = connector.getMBeanServerConnection();
  }

  /**
   * Connects to the MBeans of a process of this machine; the caller closes the connection.
   *
   * @throws IOException if it is gone, is no JVM, or does not let this user in
   */
  @SuppressWarnings("BanJNDI") // the address is that of a process of this machine
  public static JMXConnector connect(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " cannot be attached to", e);
    }
  }

  public MBeanServerConnection server() {
    return server;
  }

  /** What is left of the heap after a full collection, which this call makes. */
  public long liveHeapBytes() throws IOException {
    memory().gc();
    return heapUsedBytes();
  }

  private MemoryMXBean memory() throws IOException {
    return ManagementFactory.newPlatformMXBeanProxy(
        server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
  }

  public long heapUsedBytes() throws IOException {
    return memory().getHeapMemoryUsage().getUsed();
  }

  /**
   * Calls an operation whose parameters are strings, arrays of them or booleans, and returns its
   * result.
   *
   * @throws IllegalStateException if it fails
   */
  public Object invoke(String bean, String operation, Object... arguments) throws IOException {
    List<Class<?>> types =
        Arrays.stream(arguments)
            .<Class<?>>map(each -> each instanceof Boolean ? boolean.class : each.getClass())
            .toList();
    return invokeTyped(bean, operation, types, arguments);
  }

  /**
   * The same where an argument may be null or of a subtype.
   *
   * @param types of the arguments, as the operation declares them
   */
  public Object invokeTyped(
      String bean, String operation, List<Class<?>> types, Object... arguments) throws IOException {
    String[] names = types.stream().map(Class::getName).toArray(String[]::new);
    try {
      return server.invoke(new ObjectName(bean), operation, arguments, names);
    } catch (JMException | JMRuntimeException e) {
      throw new IllegalStateException(operation + " of " + bean + " failed: " + e.getCause(), e);
    }
  }

  /**
   * The value of an attribute.
   *
   * @throws IllegalStateException if it cannot be had
   */
  public Object attribute(String bean, String name) throws IOException {
    try {
      return server.getAttribute(new ObjectName(bean), name);
    } catch (JMException | JMRuntimeException e) {
      throw new IllegalStateException(name + " of " + bean + " cannot be read: " + e, e);
    }
  }

  /**
   * Gives an attribute another value.
   *
   * @throws IllegalStateException if it does not take it
   */
  public void setAttribute(String bean, String name, Object value) throws IOException {
    try {
      server.setAttribute(new ObjectName(bean), new Attribute(name, value));
    } catch (JMException | JMRuntimeException e) {
      throw new IllegalStateException(name + " of " + bean + " cannot be set: " + e, e);
    }
  }

  /**
   * Gives the node another snitch.
   *
   * @param dynamic whether Cassandra's dynamic one is put around it
   * @throws IllegalStateException if it does not take it
   */
  public void updateSnitch(String className, boolean dynamic) throws IOException {
    invokeTyped(
        STORAGE_SERVICE, "updateSnitch", UPDATE_SNITCH, className, dynamic, null, null, null);
  }

  /** Whether the node has the bean. */
  public boolean has(String bean) throws IOException {
    try {
      return server.isRegistered(new ObjectName(bean));
    } catch (JMException e) {
      throw new IllegalArgumentException(bean + " is no name of a bean", e);
    }
  }

  /** How many threads there are of each pool: of each name, the numbers in it left out. */
  public SortedMap<String, Integer> threads() throws IOException {
    ThreadMXBean threads =
        ManagementFactory.newPlatformMXBeanProxy(
            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    SortedMap<String, Integer> pools = new TreeMap<>();
    for (ThreadInfo thread : threads.dumpAllThreads(false, false)) {
      pools.merge(pool(thread), 1, Integer::sum);
    }
    return pools;
  }

  private static String pool(ThreadInfo thread) {
    return Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(SHARED_WORKER))
        ? SHARED_POOL
        : NUMBER.matcher(thread.getThreadName()).replaceAll("");
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
