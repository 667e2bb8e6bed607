/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import java.util.function.Function;

/** Builds a stock session over other Netty options. */
final class LabSessionBuilder extends CqlSessionBuilder {
  private final Function<InternalDriverContext, NettyOptions> network;

  LabSessionBuilder(Function<InternalDriverContext, NettyOptions> network) {
    this.network = network;
  }

  @Override
  protected DriverContext buildContext(
      DriverConfigLoader configLoader, ProgrammaticArguments programmaticArguments) {
    return new DefaultDriverContext(configLoader, programmaticArguments) {
      @Override
      protected NettyOptions buildNettyOptions() {
        return network.apply(this);
      }
    };
  }
}
