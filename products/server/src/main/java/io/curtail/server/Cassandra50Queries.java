/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryEvents;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.ReadQuery;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Message;

/**
 * Cassandra 5.0's event of a query that was answered: tells {@link ReadTraffic}. A read of this
 * node's own data passes no message, and is seen only here. Thread-safe.
 *
 * <p>Left out are queries that Cassandra warns of: too many tombstones or rows, or too large.
 */
final class Cassandra50Queries implements QueryEvents.Listener {
  /** Of a query that does not say how many rows it wants at once; Cassandra's own for counting. */
  private static final int PAGE_ROWS = 10_000;

  private final ReadTraffic traffic;
  private final Guard guard;

  Cassandra50Queries(ReadTraffic traffic, Guard guard) {
    this.traffic = traffic;
    this.guard = guard;
  }

  /** From now on the traffic sees every query that is answered. */
  void observe() {
    QueryEvents.instance.registerListener(this);
  }

  @Override
  public void querySuccess(
      CQLStatement statement,
      String query,
      QueryOptions options,
      QueryState state,
      long startedAtMillis,
      Message.Response response) {
    answered(statement, options, state);
  }

  @Override
  public void executeSuccess(
      CQLStatement statement,
      String query,
      QueryOptions options,
      QueryState state,
      long startedAtMillis,
      Message.Response response) {
    answered(statement, options, state);
  }

  private void answered(CQLStatement statement, QueryOptions options, QueryState state) {
    try {
      if (statement instanceof SelectStatement && !isWarnedOf()) {
        SelectStatement select = (SelectStatement) statement;
        traffic.onQueryAnswered(() -> reads(select, options, state));
      }
    } catch (Throwable e) {
      guard.failed("looking at a query that was answered", e);
    }
  }

  private static boolean isWarnedOf() {
    List<String> warnings = ClientWarn.instance.getWarnings();
    return warnings != null && !warnings.isEmpty();
  }

  private static List<?> reads(SelectStatement select, QueryOptions options, QueryState state) {
    ReadQuery query = select.getQuery(options, options.getNowInSeconds(state));
    if (options.isReadThresholdsEnabled()) {
      query.trackWarnings();
    }
    return reads(query, options.getPageSize());
  }

  /**
   * Returns the reads of single partitions that the query's first page is made of.
   *
   * @param pageRows how many rows a page has; 0 or less if the client does not say
   */
  static List<ReadCommand> reads(ReadQuery query, int pageRows) {
    List<ReadCommand> reads = new ArrayList<>();
    if (query instanceof SinglePartitionReadCommand.Group) {
      int most = pageRows > 0 ? pageRows : PAGE_ROWS;
      for (ReadCommand read : ((SinglePartitionReadCommand.Group) query).queries) {
        reads.add(read.limits().count() > most ? page(read, most) : read);
      }
    }
    return reads;
  }

  private static ReadCommand page(ReadCommand read, int rows) {
    ReadCommand page = read.withUpdatedLimit(read.limits().forPaging(rows));
    if (read.isTrackingWarnings()) {
      page.trackWarnings();
    }
    return page;
  }
}
