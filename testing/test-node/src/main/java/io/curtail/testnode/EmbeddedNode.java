/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * A stock node in this JVM. It starts once and stays until the JVM ends: Cassandra keeps its state
 * in statics.
 *
 * <p>Thread-safe once started.
 */
public final class EmbeddedNode {
  private static EmbeddedNode running;

  private final NodeSettings settings;

  private EmbeddedNode(NodeSettings settings) {
    this.settings = settings;
  }

  /**
   * Starts the node and returns when it serves CQL.
   *
   * @throws IllegalStateException if a node with other settings runs in this JVM already
   */
  public static synchronized EmbeddedNode start(NodeSettings settings) {
    if (running != null) {
      if (!running.settings.directory().equals(settings.directory())) {
        throw new IllegalStateException(
            "a node runs in this JVM already, in " + running.settings.directory());
      }
      return running;
    }
    settings.write().forEach(System::setProperty);
    return startConfigured(settings);
  }

  /** Starts a node whose files and system properties are in place. */
  static synchronized EmbeddedNode startConfigured(NodeSettings settings) {
    CassandraDaemon daemon = new CassandraDaemon(true);
    daemon.activate();
    // Counters go only to nodes that serve clients; this one does, without a socket.
    StorageService.instance.setRpcReady(true);
    running = new EmbeddedNode(settings);
    return running;
  }

  /** Runs a statement at consistency ONE as a client's would run; rows, or null if it has none. */
  public UntypedResultSet cql(String statement) {
    return QueryProcessor.process(statement, ConsistencyLevel.ONE);
  }

  /** The rows of a query as text, one string a row, columns as CQL literals. */
  public List<String> rows(String query) {
    return text(cql(query));
  }

  /** As {@link #rows(String)}, asking for a page of so many rows at a time. */
  public List<String> rows(String query, int pageSize) {
    QueryState state = new QueryState(ClientState.forInternalCalls());
    CQLStatement statement = QueryProcessor.parseStatement(query, state.getClientState());
    List<String> rows = new ArrayList<>();
    PagingState next = null;
    do {
      QueryOptions options =
          QueryOptions.create(
              ConsistencyLevel.ONE,
              List.of(),
              false,
              pageSize,
              next,
              ConsistencyLevel.SERIAL,
              ProtocolVersion.CURRENT,
              null);
      ResultMessage.Rows page =
          (ResultMessage.Rows)
              QueryProcessor.instance.process(
                  statement, state, options, Dispatcher.RequestTime.forImmediateExecution());
      rows.addAll(text(UntypedResultSet.create(page.result)));
      next = page.result.metadata.getPagingState();
    } while (next != null);
    return rows;
  }

  private static List<String> text(UntypedResultSet result) {
    List<String> rows = new ArrayList<>();
    if (result == null) {
      return rows;
    }
    for (UntypedResultSet.Row row : result) {
      List<String> columns = new ArrayList<>();
      row.getColumns()
          .forEach(
              column -> {
                String name = column.name.toString();
                AbstractType<?> type = column.type;
                columns.add(
                    name + "=" + (row.has(name) ? type.toCQLString(row.getBytes(name)) : "null"));
              });
      rows.add(String.join(", ", columns));
    }
    return rows;
  }

  /** The node's store of a table. */
  public ColumnFamilyStore store(String keyspace, String table) {
    return Keyspace.open(keyspace).getColumnFamilyStore(table);
  }
}
