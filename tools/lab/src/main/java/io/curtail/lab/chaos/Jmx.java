/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.campaign.process.Polling;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/** What operators ask a node for by nodetool, over the MBeans that nodetool uses. */
final class Jmx implements AutoCloseable {
  /** How the message begins of a repair that came to its end. */
  static final String REPAIR_FAILED = "the repair failed: ";

  static final String KEYSPACE = "crash";

  private static final String SERVICE = NodeManagement.STORAGE_SERVICE;
  private static final String ENGINE = "io.curtail.engine:type=Engine";

  /** The number of a kind of progress, in the order that Cassandra declares them. */
  private static final Integer ERROR = 2;

  private static final Integer COMPLETE = 5;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration MOST_REPAIRING = Duration.ofMinutes(5);

  private final NodeManagement management;

  Jmx(LabNode node) throws IOException {
    management = new NodeManagement(node);
  }

  /** Moves the node's part of the rows to others; returns when it has left the ring. */
  void decommission() throws IOException {
    management.invoke(SERVICE, "decommission", true);
  }

  /** Takes a dead node out of the ring; returns when others have its part. */
  void remove(String hostId) throws IOException {
    management.invoke(SERVICE, "removeNode", hostId);
  }

  /** The identity of the node in its cluster. */
  String hostId() throws IOException {
    return (String) management.attribute(SERVICE, "LocalHostId");
  }

  /** The hosts of the members that the node takes for dead. */
  List<?> deadNodes() throws IOException {
    return (List<?>) management.attribute(SERVICE, "UnreachableNodes");
  }

  /** The hosts that have a place in the ring for the node. */
  Collection<?> owners() throws IOException {
    return ((Map<?, ?>) management.attribute(SERVICE, "TokenToEndpointMap")).values();
  }

  /** For each version of the schema, the hosts that have it; and those that do not answer. */
  List<List<?>> hostsBySchema() throws IOException {
    Map<?, ?> versions =
        (Map<?, ?>)
            management.attribute("org.apache.cassandra.db:type=StorageProxy", "SchemaVersions");
    List<List<?>> hosts = new ArrayList<>();
    versions.values().forEach(each -> hosts.add((List<?>) each));
    return hosts;
  }

  /** The node's place in the ring. */
  List<?> tokens() throws IOException {
    return (List<?>) management.attribute(SERVICE, "Tokens");
  }

  /** Takes another place in the ring; returns when the rows are there. */
  void move(long token) throws IOException {
    management.invoke(SERVICE, "move", Long.toString(token));
  }

  /** Asks others for the node's part of the rows. */
  void rebuild() throws IOException {
    List<Class<?>> types = List.of(String.class, String.class, String.class, String.class);
    management.invokeTyped(SERVICE, "rebuild", types, null, KEYSPACE, null, null);
  }

  /**
   * Repairs, and waits until it ends.
   *
   * @throws IllegalStateException if it fails
   */
  void repair(Map<String, String> options) throws IOException, InterruptedException {
    Map<Object, String> errors = new ConcurrentHashMap<>();
    Set<Object> ended = ConcurrentHashMap.newKeySet();
    NotificationListener listener =
        (notification, handback) -> {
          if (!notification.getType().equals("progress")) {
            return;
          }
          Object type = ((Map<?, ?>) notification.getUserData()).get("type");
          if (type.equals(ERROR)) {
            errors.put(notification.getSource(), notification.getMessage());
          } else if (type.equals(COMPLETE)) {
            ended.add(notification.getSource());
          }
        };
    try {
      ObjectName service = new ObjectName(SERVICE);
      management.server().addNotificationListener(service, listener, null, null);
      List<Class<?>> types = List.of(String.class, Map.class);
      Object command = management.invokeTyped(SERVICE, "repairAsync", types, KEYSPACE, options);
      await("repair:" + command, ended);
      String error = errors.get("repair:" + command);
      if (error != null) {
        throw new IllegalStateException(REPAIR_FAILED + error);
      }
    } catch (JMException e) {
      throw new IllegalStateException("the repair cannot be watched", e);
    }
  }

  /** No repair of a number below one is begun: there is nothing to repair. */
  private void await(String repair, Set<Object> ended) throws IOException, InterruptedException {
    Polling.until(
        MOST_REPAIRING,
        POLL,
        () -> {
          if (repair.equals("repair:0") || ended.contains(repair)) {
            return true;
          }
          management.heapUsedBytes(); // fails when the node is gone
          return false;
        },
        () -> "the repair does not end");
  }

  void snapshot(String name) throws IOException {
    List<Class<?>> types = List.of(String.class, Map.class, String[].class);
    String[] keyspaces = {KEYSPACE};
    management.invokeTyped(SERVICE, "takeSnapshot", types, name, Map.of(), keyspaces);
  }

  void clearSnapshot(String name) throws IOException {
    List<Class<?>> types = List.of(Map.class, String.class, String[].class);
    management.invokeTyped(SERVICE, "clearSnapshot", types, Map.of(), name, new String[0]);
  }

  void flush(String table) throws IOException {
    management.invoke(SERVICE, "forceKeyspaceFlush", KEYSPACE, new String[] {table});
  }

  void compact(String table) throws IOException {
    String[] tables = {table};
    management.invoke(SERVICE, "forceKeyspaceCompaction", false, KEYSPACE, tables);
  }

  /** Removes from a table's data files what the node has no part in. */
  void cleanUp(String table) throws IOException {
    List<Class<?>> types = List.of(int.class, String.class, String[].class);
    String[] tables = {table};
    management.invokeTyped(SERVICE, "forceKeyspaceCleanup", types, 0, KEYSPACE, tables);
  }

  /** Takes the data files of a snapshot's directory as they are. */
  void importFiles(String table, String directory) throws IOException {
    String bean = "org.apache.cassandra.db:type=Tables,keyspace=" + KEYSPACE + ",table=" + table;
    Class<?> flag = boolean.class;
    List<Class<?>> types = List.of(Set.class, flag, flag, flag, flag, flag, flag, flag);
    // The fourth flag, as --no-tokens: the ring may have changed since, and no clean-up been run.
    Object[] values = {Set.of(directory), false, false, true, false, true, false, true};
    List<?> failed = (List<?>) management.invokeTyped(bean, "importNewSSTables", types, values);
    if (!failed.isEmpty()) {
      throw new IllegalStateException("not imported: " + failed);
    }
  }

  /** Writes the rows of a snapshot that are in RocksDB to the table. */
  void restore(String table, String snapshot) throws IOException {
    management.invoke(ENGINE, "restore", KEYSPACE, table, snapshot);
  }

  /**
   * {@code flush}, {@code compact}, {@code sweep} or {@code cleanup} of a table that is in RocksDB.
   */
  void engine(String operation, String table) throws IOException {
    management.invoke(ENGINE, operation, KEYSPACE, table);
  }

  /** Whether the node has rows of a table in RocksDB. */
  boolean isInRocks(String table) throws IOException {
    try {
      management.invoke(ENGINE, "property", KEYSPACE, table, "rocksdb.stats");
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    management.close();
  }
}
