/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.function.Consumer;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;

/**
 * What waits for a second copy: its answer is the request's, its failure, which Cassandra tells
 * also of a message that never left, is not: the request has not reckoned with the copy.
 */
final class Cassandra50CopyCallback<T> implements RequestCallback<T> {
  private final RequestCallback<T> request;
  private final Consumer<InetAddressAndPort> failed;

  /**
   * @param request waits for the read
   * @param failed called with the copy's replica
   */
  Cassandra50CopyCallback(RequestCallback<T> request, Consumer<InetAddressAndPort> failed) {
    this.request = request;
    this.failed = failed;
  }

  @Override
  public void onResponse(Message<T> answer) {
    request.onResponse(answer);
  }

  @Override
  public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
    failed.accept(from);
  }

  @Override
  public boolean invokeOnFailure() {
    return true;
  }

  @Override
  public boolean trackLatencyForSnitch() {
    return request.trackLatencyForSnitch();
  }
}
