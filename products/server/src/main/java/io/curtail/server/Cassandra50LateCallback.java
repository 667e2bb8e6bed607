/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;

/** What waits for an answer that the request does not need: only its latency is taken. */
final class Cassandra50LateCallback<T> implements RequestCallback<T> {
  private final RequestCallback<T> request;

  /**
   * @param request waited for it, and is over
   */
  Cassandra50LateCallback(RequestCallback<T> request) {
    this.request = request;
  }

  @Override
  public void onResponse(Message<T> answer) {}

  @Override
  public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {}

  @Override
  public boolean invokeOnFailure() {
    return false;
  }

  @Override
  public boolean trackLatencyForSnitch() {
    return request.trackLatencyForSnitch();
  }
}
