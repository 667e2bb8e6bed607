/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.FeedbackCodec;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;

/**
 * Reports this coordinator's load to drivers that ask, and sees the reads of its own data that fail
 * here. Optional: {@code
 * -Dcassandra.custom_query_handler_class=io.curtail.server.CurtailQueryHandler}.
 *
 * <p>A request asks with the key {@value #KEY} in its custom payload, whatever the value; the
 * answer then has the same key with a {@link FeedbackCodec} value: CQL requests that wait for a
 * thread, those being served, the threads, and how long this request took once it had one. Requests
 * that do not ask cost one look at their payload.
 *
 * <p>A read with the key {@value #COPY_KEY} is a second copy of one that another node is late with:
 * it is served if this node has a free read thread, and refused at once if not.
 *
 * <p>Another handler goes on to work when {@code -Dcurtail.query_handler=CLASS} names it.
 */
public final class CurtailQueryHandler implements QueryHandler {
  /** In the custom payload of requests and answers. */
  public static final String KEY = FeedbackCodec.PAYLOAD_KEY;

  /** In the custom payload of requests that are second copies. */
  public static final String COPY_KEY = FeedbackCodec.COPY_KEY;

  private static final String DELEGATE = "curtail.query_handler";

  private final QueryHandler next;
  private final Supplier<QueryHooks> existing;

  /** Called by Cassandra. */
  public CurtailQueryHandler() {
    this(Cassandra50.queryHandler(System.getProperty(DELEGATE)), Plugin::existingHooks);
  }

  /**
   * @param existing gives what the plug-in does, or null while there is none
   */
  CurtailQueryHandler(QueryHandler next, Supplier<QueryHooks> existing) {
    this.next = next;
    this.existing = existing;
  }

  @Override
  public CQLStatement parse(String query, QueryState state, QueryOptions options) {
    return next.parse(query, state, options);
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    refuseCopyIfBusy(statement, payload);
    try {
      return answer(next.process(statement, state, options, payload, time), payload, time);
    } catch (ReadFailureException e) {
      onReadFailed(statement, e);
      throw e;
    }
  }

  @Override
  public ResultMessage.Prepared prepare(
      String query, ClientState state, Map<String, ByteBuffer> payload) {
    return next.prepare(query, state, payload);
  }

  @Override
  public Prepared getPrepared(MD5Digest id) {
    return next.getPrepared(id);
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    refuseCopyIfBusy(statement, payload);
    try {
      return answer(next.processPrepared(statement, state, options, payload, time), payload, time);
    } catch (ReadFailureException e) {
      onReadFailed(statement, e);
      throw e;
    }
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return answer(next.processBatch(statement, state, options, payload, time), payload, time);
  }

  private void refuseCopyIfBusy(CQLStatement statement, Map<String, ByteBuffer> payload) {
    if (payload != null && payload.containsKey(COPY_KEY) && statement instanceof SelectStatement) {
      QueryHooks hooks = existing.get();
      if (hooks != null) {
        hooks.refuseIfBusy();
      }
    }
  }

  private ResultMessage answer(
      ResultMessage result, Map<String, ByteBuffer> payload, RequestTime time) {
    if (payload != null && result != null && payload.containsKey(KEY)) {
      QueryHooks hooks = existing.get();
      if (hooks != null) {
        hooks.attach(result, time);
      }
    }
    return result;
  }

  private void onReadFailed(CQLStatement statement, ReadFailureException failure) {
    QueryHooks hooks = existing.get();
    if (hooks != null) {
      hooks.onReadFailed(statement, failure);
    }
  }
}
