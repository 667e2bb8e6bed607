/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What one node's plug-in says of itself, for people and for programs. */
record Explanation(
    String node,
    Map<String, String> settings,
    Map<String, String> load,
    List<Replica> replicas,
    List<Decision> decisions) {

  /** Times in milliseconds. */
  record Replica(
      String endpoint,
      boolean self,
      boolean localDatacenter,
      boolean alive,
      boolean reports,
      Double score,
      double responseMillis,
      double serviceMillis,
      double waiting,
      double failurePenaltyMillis,
      int outstanding,
      long chosen,
      long answered,
      long failed,
      long expired,
      long gaveBack,
      long passedTo) {}

  /** One sampled choice; the journey is empty if the read could not be passed on. */
  record Decision(
      Instant at,
      String mode,
      String stockFirst,
      String curtailFirst,
      String chosen,
      String candidates,
      String reason,
      String journey) {}

  /**
   * Asks the node.
   *
   * @throws IllegalStateException if it has no plug-in
   */
  static Explanation of(CqlSession session, InetSocketAddress address, int decisions) {
    Node node =
        session.getMetadata().getNodes().values().stream()
            .filter(each -> each.getEndPoint().resolve().equals(address))
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException(address + " is not how the node calls itself"));
    try {
      return new Explanation(
          address.getHostString() + ":" + address.getPort(),
          texts(session, node, "SELECT name, value FROM curtail.settings"),
          texts(session, node, "SELECT name, value FROM curtail.server_load"),
          replicas(session, node),
          decisions(session, node, decisions));
    } catch (InvalidQueryException e) {
      throw new IllegalStateException(
          address
              + " has no keyspace 'curtail': is curtail-server its endpoint_snitch? "
              + e.getMessage(),
          e);
    }
  }

  private static List<Row> ask(CqlSession session, Node node, String query) {
    return session.execute(SimpleStatement.newInstance(query).setNode(node)).all();
  }

  private static Map<String, String> texts(CqlSession session, Node node, String query) {
    Map<String, String> texts = new TreeMap<>();
    ask(session, node, query).forEach(row -> texts.put(row.getString(0), row.getString(1)));
    return texts;
  }

  private static List<Replica> replicas(CqlSession session, Node node) {
    List<Replica> replicas = new ArrayList<>();
    for (Row row : ask(session, node, "SELECT * FROM curtail.replica_scores")) {
      double score = row.getDouble("score");
      replicas.add(
          new Replica(
              row.getString("endpoint"),
              row.getBoolean("self"),
              row.getBoolean("local_datacenter"),
              row.getBoolean("alive"),
              row.getBoolean("reports"),
              Double.isFinite(score) ? score : null,
              row.getDouble("response_ms"),
              row.getDouble("service_ms"),
              row.getDouble("waiting"),
              row.getDouble("failure_penalty_ms"),
              row.getInt("outstanding"),
              row.getLong("chosen"),
              row.getLong("answered"),
              row.getLong("failed"),
              row.getLong("expired"),
              row.getLong("gave_back"),
              row.getLong("passed_to")));
    }
    replicas.sort(
        Comparator.comparing((Replica each) -> !each.localDatacenter)
            .thenComparing(each -> each.score == null ? Double.MAX_VALUE : each.score));
    return replicas;
  }

  private static List<Decision> decisions(CqlSession session, Node node, int latest) {
    List<Decision> decisions = new ArrayList<>();
    for (Row row : ask(session, node, "SELECT * FROM curtail.decisions")) {
      decisions.add(
          new Decision(
              row.getInstant("at"),
              row.getString("mode"),
              row.getString("stock_first"),
              row.getString("curtail_first"),
              row.getString("chosen"),
              row.getString("candidates"),
              row.getString("reason"),
              // a node of the release before has no such column
              row.getColumnDefinitions().contains("journey") ? row.getString("journey") : ""));
    }
    return decisions.subList(Math.max(0, decisions.size() - latest), decisions.size());
  }

  String toText() {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: mode %s, policy %s, %s coordinators, %s errors%n"
            .formatted(
                node,
                load.get("mode"),
                settings.get("policy"),
                load.get("coordinators"),
                load.get("errors")));
    if (!load.getOrDefault("problem", "").isEmpty()) {
      text.append(
          "The mode that is set (%s) is not in force: %s%n"
              .formatted(settings.get("mode"), load.get("problem")));
    }
    text.append(
        "Its own reads: %s active, %s waiting, of %s threads; service time %s us%n%n"
            .formatted(
                load.get("reads_active"),
                load.get("reads_waiting"),
                load.get("read_threads"),
                load.get("service_us")));
    text.append(replicaTable().toText());
    text.append(
        """

        Lower scores are chosen first, within the data centre; the nearest replica stays first unless
        its score is worse by more than badness_threshold. In policy c3-per-slot the score is
        R - S + (1 + (outstanding x %s + Q) / threads)^b x S + penalty in nanoseconds, with R the
        response time, S the service time, Q the waiting reads that the replica reported, and the
        threads that it reads with; b is 3, and 1 while a replica is far slower than another. In
        policy c3 b is 3 and threads are one.
        """
            .formatted(load.get("coordinators")));
    text.append(
        "Since the start: %s reads ranked, %s observed, of these %s would have gone elsewhere"
            .formatted(load.get("ranked"), load.get("observed"), load.get("observed_elsewhere")));
    text.append(
        " (expected gain %s us in all), %s probes%n"
            .formatted(load.get("expected_gain_us"), load.get("probes")));
    text.append(passing());
    for (Decision decision : decisions) {
      text.append(
          "%n%s  %s, %s%n  stock order first %s, Curtail's %s, chosen %s%n%s  %s%n"
              .formatted(
                  decision.at,
                  decision.mode,
                  decision.reason,
                  decision.stockFirst,
                  decision.curtailFirst,
                  decision.chosen,
                  decision.journey.isEmpty() ? "" : "  it went: " + decision.journey + "\n",
                  decision.candidates.replace(", ", "\n  ")));
    }
    return text.toString();
  }

  private String passing() {
    String problem = load.getOrDefault("passing_problem", "");
    return """
        Passing on is %s%s. Of %s reads that could be passed on %s came back and went to another
        replica, %s came back and had to stay; %s more left this node's own queue. They were answered
        %s us sooner in all than expected where they came first (below 0: later). As a replica it
        served %s such reads at once, gave %s back, and kept %s waiting.
        Of %s second copies %s answered first, %s us in all before their reads; %s made a read be
        served twice.
        """
        .formatted(
            load.get("passing"),
            problem.isEmpty() ? "" : " (" + problem + ")",
            load.get("carried"),
            load.get("passed_on"),
            load.get("passed_nowhere"),
            load.get("sent_away"),
            // a node of the release before has neither gain
            load.getOrDefault("passed_gain_us", "?"),
            load.get("served_at_once"),
            load.get("given_back"),
            load.get("kept_waiting"),
            load.get("copies_sent"),
            load.get("copies_first"),
            load.getOrDefault("copies_gain_us", "?"),
            load.get("copies_in_vain"));
  }

  private Table replicaTable() {
    return new Columns<Replica>()
        .add("replica", Replica::endpoint)
        .add("", Explanation::notes)
        .add("score", each -> each.score == null ? "-" : number("%.3g", each.score))
        .add("R ms", each -> number("%.3f", each.responseMillis))
        .add("S ms", each -> number("%.3f", each.serviceMillis))
        .add("Q", each -> number("%.1f", each.waiting))
        .add("outstanding", each -> Integer.toString(each.outstanding))
        .add("penalty ms", each -> number("%.1f", each.failurePenaltyMillis))
        .add("chosen", each -> Long.toString(each.chosen))
        .add("answered", each -> Long.toString(each.answered))
        .add("failed", each -> Long.toString(each.failed))
        .add("timed out", each -> Long.toString(each.expired))
        .add("gave back", each -> Long.toString(each.gaveBack))
        .add("passed to", each -> Long.toString(each.passedTo))
        .table(2, replicas);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String notes(Replica replica) {
    List<String> notes = new ArrayList<>();
    if (replica.self) {
      notes.add("this node");
    }
    if (!replica.localDatacenter) {
      notes.add("other data centre");
    }
    if (!replica.alive) {
      notes.add("down");
    }
    if (!replica.reports) {
      notes.add("no feedback");
    }
    return String.join(", ", notes);
  }
}
