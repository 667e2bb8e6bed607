/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.config.ConfigChangeEvent;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.function.Predicate;

/**
 * Tells which requests run Paxos: reads at SERIAL or LOCAL_SERIAL, and writes with an {@code IF}.
 *
 * <p>The protocol version that stock Cassandra speaks does not say so when it prepares a statement,
 * so the text of the query decides; verdicts are remembered for the queries seen last. Long texts
 * are remembered only of prepared statements, and not kept for that. Thread-safe.
 */
final class LightweightTransactions {
  private static final int REMEMBERED = 1024;
  private static final int LONGEST_KEPT = 8192;
  private static final int REMEMBERED_PROFILES = 8;

  private final InternalDriverContext context;
  private final Predicate<String> isConditional;

  /*
   * Two places for each hash, or two queries that are executed in turn might push out each other.
   * Lost and torn updates are harmless: verdicts are immutable, and a missing one is worked out again.
   */
  private final Verdict[] verdicts = new Verdict[REMEMBERED];
  private final Level[] levels = new Level[REMEMBERED_PROFILES];

  /** How often it changed, as the driver says: a loader that serves two sessions tells one only. */
  private volatile int configuration;

  private final Object listener;

  LightweightTransactions(InternalDriverContext context) {
    this(context, ConditionalWrite::matches);
  }

  /**
   * @param isConditional tells of a text whether it is a write with a condition
   */
  LightweightTransactions(InternalDriverContext context, Predicate<String> isConditional) {
    this.context = context;
    this.isConditional = isConditional;
    listener = context.getEventBus().register(ConfigChangeEvent.class, this::onChange);
  }

  private synchronized void onChange(ConfigChangeEvent event) {
    configuration++;
  }

  void close() {
    context.getEventBus().unregister(listener, ConfigChangeEvent.class);
  }

  boolean includes(@Nullable Request request) {
    if (!(request instanceof Statement)) {
      return false;
    }
    ConsistencyLevel consistency = ((Statement<?>) request).getConsistencyLevel();
    if (consistency == null ? isSerial(Profiles.of(request, context)) : consistency.isSerial()) {
      return true;
    }
    if (request instanceof BatchStatement) {
      for (BatchableStatement<?> child : (BatchStatement) request) {
        if (isConditional(child)) {
          return true;
        }
      }
      return false;
    }
    return isConditional((Statement<?>) request);
  }

  private boolean isSerial(DriverExecutionProfile profile) {
    int slot = System.identityHashCode(profile) & (REMEMBERED_PROFILES - 1);
    Level known = levels[slot];
    int now = configuration;
    if (known == null || known.profile != profile || known.configuration != now) {
      String name = profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY);
      known = new Level(profile, now, isSerial(name));
      levels[slot] = known;
    }
    return known.serial;
  }

  /** A name that is misspelt is no fault of this policy: the driver refuses the request itself. */
  private boolean isSerial(String name) {
    try {
      return context.getConsistencyLevelRegistry().nameToLevel(name).isSerial();
    } catch (RuntimeException e) {
      return false;
    }
  }

  private boolean isConditional(Statement<?> statement) {
    if (statement instanceof BoundStatement) {
      return known(((BoundStatement) statement).getPreparedStatement().getQuery());
    }
    if (!(statement instanceof SimpleStatement)) {
      return false;
    }
    String query = ((SimpleStatement) statement).getQuery();
    return query.length() > LONGEST_KEPT ? isConditional.test(query) : known(query);
  }

  private boolean known(String query) {
    int hash = query.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (REMEMBERED - 2);
    Verdict latest = verdicts[slot];
    if (latest != null && latest.isOf(query)) {
      return latest.conditional;
    }
    Verdict other = verdicts[slot + 1];
    if (other != null && other.isOf(query)) {
      return other.conditional;
    }
    Verdict verdict = new Verdict(query, isConditional.test(query));
    verdicts[slot + 1] = latest;
    verdicts[slot] = verdict;
    return verdict.conditional;
  }

  /** Of a short query, or of a long one for as long as its prepared statement is there. */
  private static final class Verdict {
    final boolean conditional;
    private final String kept;
    private final Reference<String> prepared;

    Verdict(String query, boolean conditional) {
      boolean isLong = query.length() > LONGEST_KEPT;
      this.conditional = conditional;
      this.kept = isLong ? null : query;
      this.prepared = isLong ? new WeakReference<>(query) : null;
    }

    boolean isOf(String query) {
      return kept != null ? kept.equals(query) : query.equals(prepared.get());
    }
  }

  /** Whether the consistency that a profile has is serial, until the configuration changes. */
  private static final class Level {
    final DriverExecutionProfile profile;
    final int configuration;
    final boolean serial;

    Level(DriverExecutionProfile profile, int configuration, boolean serial) {
      this.profile = profile;
      this.configuration = configuration;
      this.serial = serial;
    }
  }
}
