/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * Builds sessions that ask nodes for their load with each request, and hear it with each answer,
 * also with those that nobody waits for any more: for {@link AdaptivePolicy}, whose rankings of the
 * C3 family then know the queues and service times of nodes, as in the paper. In place of {@link
 * CqlSession#builder()}:
 *
 * <pre>
 * CqlSession session = new FeedbackSessionBuilder().addContactPoint(...).build();
 * </pre>
 *
 * <p>Nodes report if {@code curtail-server} is their query handler; others, and stock nodes, skip
 * what they are asked, which is 24 bytes a request. Needs the driver's own Netty: with the shaded
 * driver it cannot be used. Not thread-safe, as the driver's builder.
 */
public class FeedbackSessionBuilder extends CqlSessionBuilder {
  private static final String SHADED = "com.datastax.oss.driver.shaded.netty.channel.Channel";

  /**
   * @throws IllegalStateException if the driver is the shaded one
   */
  public FeedbackSessionBuilder() {
    refuseShaded(CqlSession.class.getClassLoader());
  }

  static void refuseShaded(ClassLoader loader) {
    try {
      loader.loadClass(SHADED);
    } catch (ClassNotFoundException expected) {
      return;
    }
    throw new IllegalStateException(
        "FeedbackSessionBuilder needs java-driver-core: in java-driver-core-shaded Netty has other"
            + " names. Use CqlSession.builder(), whose sessions get no reports of nodes");
  }

  @Override
  @NonNull
  protected DriverContext buildContext(
      @NonNull DriverConfigLoader configLoader,
      @NonNull ProgrammaticArguments programmaticArguments) {
    return new FeedbackContext(configLoader, programmaticArguments);
  }
}
