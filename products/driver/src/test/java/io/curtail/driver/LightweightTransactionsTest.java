/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.config.typesafe.DefaultDriverConfigLoader;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.typesafe.config.ConfigFactory;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LightweightTransactionsTest {
  private static final SimpleStatement READ = SimpleStatement.newInstance("SELECT v FROM t");

  private final DefaultDriverContext context =
      new DefaultDriverContext(
          DriverConfigLoader.programmaticBuilder()
              .startProfile("serial")
              .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_SERIAL")
              .endProfile()
              .build(),
          ProgrammaticArguments.builder().build());
  private final LightweightTransactions transactions = new LightweightTransactions(context);
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void should_include_a_read_when_its_profile_is_serial() {
    assertThat(transactions.includes(READ)).isFalse();
    assertThat(transactions.includes(READ.setExecutionProfileName("serial"))).isTrue();
  }

  @Test
  void should_include_a_read_when_its_derived_profile_is_serial() {
    DriverExecutionProfile derived =
        context
            .getConfig()
            .getDefaultProfile()
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "SERIAL");
    assertThat(transactions.includes(READ.setExecutionProfile(derived))).isTrue();
  }

  @Test
  void should_go_by_the_statement_when_it_says_its_consistency_itself() {
    assertThat(
            transactions.includes(
                READ.setExecutionProfileName("serial")
                    .setConsistencyLevel(DefaultConsistencyLevel.ONE)))
        .isFalse();
    assertThat(transactions.includes(READ.setConsistencyLevel(DefaultConsistencyLevel.SERIAL)))
        .isTrue();
  }

  @Test
  void should_look_at_a_long_text_once_when_it_is_prepared() {
    String text = "INSERT INTO t (k, v) VALUES (1, '" + "v".repeat(16 * 1024) + "') IF NOT EXISTS";
    BoundStatement insert = bound(text);
    LightweightTransactions counted = counted();
    for (int i = 0; i < 1000; i++) {
      assertThat(counted.includes(insert)).isTrue();
      assertThat(counted.includes(BatchStatement.newInstance(BatchType.LOGGED, insert))).isTrue();
    }
    assertThat(looks).hasValue(1);
  }

  /** Their hashes are equal. */
  @Test
  void should_remember_two_queries_of_one_place_when_they_are_executed_in_turn() {
    LightweightTransactions counted = counted();
    for (int i = 0; i < 1000; i++) {
      assertThat(counted.includes(SimpleStatement.newInstance("SELECT Aa FROM t"))).isFalse();
      assertThat(counted.includes(SimpleStatement.newInstance("SELECT BB FROM t"))).isFalse();
    }
    assertThat(looks).hasValue(2);
  }

  private LightweightTransactions counted() {
    return new LightweightTransactions(
        context,
        query -> {
          looks.incrementAndGet();
          return ConditionalWrite.matches(query);
        });
  }

  /** Of which only the text is there. */
  private static BoundStatement bound(String query) {
    PreparedStatement prepared = proxy(PreparedStatement.class, "getQuery", query);
    return proxy(BoundStatement.class, "getPreparedStatement", prepared);
  }

  /** All other methods return null. */
  private static <T> T proxy(Class<T> type, String method, Object result) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, called, arguments) -> called.getName().equals(method) ? result : null));
  }

  @Test
  void should_go_by_the_configuration_as_it_is_now() throws Exception {
    AtomicReference<String> level = new AtomicReference<>("LOCAL_ONE");
    DriverConfigLoader loader =
        new DefaultDriverConfigLoader(
            () ->
                ConfigFactory.parseString("basic.request.consistency = " + level)
                    .withFallback(
                        ConfigFactory.defaultReference().getConfig("datastax-java-driver")));
    DefaultDriverContext reloading =
        new DefaultDriverContext(loader, ProgrammaticArguments.builder().build());
    loader.onDriverInit(reloading);
    LightweightTransactions known = new LightweightTransactions(reloading);
    assertThat(known.includes(READ)).isFalse();
    level.set("SERIAL");
    assertThat(loader.reload().toCompletableFuture().get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(known.includes(READ)).isTrue();
    reloading.getNettyOptions().onClose().get(1, TimeUnit.MINUTES);
  }
}
