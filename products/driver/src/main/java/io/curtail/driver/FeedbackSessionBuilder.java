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
import com.datastax.oss.driver.internal.core.context.DefaultNettyOptions;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import edu.umd.cs.findbugs.annotations.NonNull;
import java.util.Objects;
import java.util.function.Function;

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

  private Function<InternalDriverContext, NettyOptions> network = DefaultNettyOptions::new;

  /**
   * @throws IllegalStateException if the driver is the shaded one
   */
  public FeedbackSessionBuilder() {
    refuseShaded(CqlSession.class.getClassLoader());
  }

  /**
   * For applications with a network of their own, as event loops that they share: in place of a
   * driver context that overrides {@code buildNettyOptions}. What connections hear of nodes comes
   * on top.
   *
   * @param made once a session, of its context; its result is closed with the session
   * @return this
   */
  @NonNull
  public FeedbackSessionBuilder withNettyOptions(
      @NonNull Function<InternalDriverContext, NettyOptions> made) {
    network = Objects.requireNonNull(made, "no Netty options");
    return this;
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
    return new FeedbackContext(configLoader, programmaticArguments, network);
  }
}
