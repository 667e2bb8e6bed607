/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import java.io.IOException;
import java.util.Set;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/** A node's MBeans, reached through its process. */
final class Management implements AutoCloseable {
  private final NodeManagement node;
  private final MBeanServerConnection server;

  Management(LabNode node) throws IOException {
    this.node = new NodeManagement(node);
    server = this.node.server();
  }

  /** What the documentation tells operators to call. */
  void updateSnitch(String className, boolean dynamic) throws Exception {
    node.updateSnitch(className, dynamic);
  }

  Object get(String bean, String attribute) throws Exception {
    return server.getAttribute(new ObjectName(bean), attribute);
  }

  /** Of Cassandra's metrics. */
  long count(String metric) throws Exception {
    return ((Number) get("org.apache.cassandra.metrics:" + metric, "Count")).longValue();
  }

  void set(String bean, Attribute attribute) throws Exception {
    server.setAttribute(new ObjectName(bean), attribute);
  }

  void setMode(String mode) throws Exception {
    set(CurtailMBean.NAME, new Attribute("Mode", mode));
  }

  Set<ObjectName> names(String pattern) throws Exception {
    return server.queryNames(new ObjectName(pattern), null);
  }

  long beans(String pattern) throws Exception {
    return names(pattern).size();
  }

  @Override
  public void close() throws IOException {
    node.close();
  }
}
