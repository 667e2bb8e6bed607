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
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.config.typesafe.DefaultDriverConfigLoader;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.TimeUnit;
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
