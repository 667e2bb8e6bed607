/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.passing.Route;
import org.junit.jupiter.api.Test;

class RequestContextTest {
  private final RequestContext context = new RequestContext();

  private static CarriedRead read(long id) {
    return new CarriedRead(
        id, "token", new Route(address(2), address(3)), 0, null, new Object(), 0);
  }

  /** A count of a whole partition reads it page by page, all in one request. */
  @Test
  void should_forget_the_plan_of_a_read_that_goes_in_another_order() {
    RequestContext context = new RequestContext();
    context.enter(new Object());
    context.plan(new PassingPlan("token", new Peer[0], -1, false));
    context.plan(new PassingPlan("other", new Peer[0], -1, false));
    context.forgetPlan("token");
    assertThat(context.hasPassing()).isTrue();
    context.forgetPlan("other");
    assertThat(context.hasPassing()).isFalse();
  }

  @Test
  void should_know_the_last_carried_read_of_a_token_when_a_request_reads_it_page_by_page() {
    context.enter("request");
    CarriedRead page1 = read(1);
    CarriedRead page2 = read(2);
    context.onCarried(page1);
    assertThat(context.carriedOf("token")).isSameAs(page1);
    context.onCarried(page2);
    assertThat(context.carriedOf("token")).isSameAs(page2);
    assertThat(context.carriedOf("other")).isNull();
  }

  @Test
  void should_keep_a_probe_until_another_request_begins() {
    Peer peer = new Peers(new FakeHost(), LoadSettings.PAPER, now -> null).of(address(2));
    context.enter("request");
    context.probe(peer);
    context.enter("request");
    assertThat(context.probe()).isSameAs(peer);
    context.enter("another");
    assertThat(context.probe()).isNull();
  }

  @Test
  void should_hold_no_read_of_a_transaction_and_none_outside_a_request() {
    context.enter("request");
    assertThat(context.mayHold()).isTrue();
    context.onPaxos("request");
    context.enter("request");
    assertThat(context.mayHold()).isFalse();
    context.enter(null);
    assertThat(context.mayHold()).isFalse();
  }

  /** The read of a transaction is the first that is ordered in a request, or even later. */
  @Test
  void should_pass_no_read_of_a_transaction_when_the_thread_knew_another_request_before() {
    context.enter("request");
    assertThat(context.mayPass()).isTrue();
    context.onPaxos("transaction");
    context.enter("transaction");
    assertThat(context.mayPass()).isFalse();
    context.enter("request");
    assertThat(context.mayPass()).isTrue();
  }
}
