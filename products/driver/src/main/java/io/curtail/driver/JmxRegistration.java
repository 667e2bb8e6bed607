/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** One object in the platform's MBean server, for as long as it is not closed. */
final class JmxRegistration implements AutoCloseable {
  private static final int SESSIONS_OF_ONE_NAME = 1000;

  private final MBeanServer server;
  private final ObjectName name;

  private JmxRegistration(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /** Several sessions may have one name: all but the first get a number. */
  static JmxRegistration of(Object bean, String type, String session, String profile)
      throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (int number = 1; ; number++) {
      try {
        ObjectName name =
            new ObjectName(
                "io.curtail.driver:type="
                    + type
                    + ",session="
                    + ObjectName.quote(number == 1 ? session : session + "-" + number)
                    + ",profile="
                    + ObjectName.quote(profile));
        server.registerMBean(bean, name);
        return new JmxRegistration(server, name);
      } catch (InstanceAlreadyExistsException e) {
        if (number == SESSIONS_OF_ONE_NAME) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() throws JMException {
    server.unregisterMBean(name);
  }
}
